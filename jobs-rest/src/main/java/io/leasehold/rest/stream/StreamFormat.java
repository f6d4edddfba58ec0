package io.leasehold.rest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;

/** How events are written one after the other. */
enum StreamFormat {
  /** Server-sent events, as browsers read them. */
  SSE {
    @Override
    String begin(Duration pauseBeforeNext) {
      return "retry: %d\n\n".formatted(pauseBeforeNext.toMillis());
    }

    @Override
    void write(SentEvent event, ByteArrayOutputStream out) {
      out.writeBytes(
          "id: %s\nevent: %s\ndata: ".formatted(event.cursor(), event.kind()).getBytes(UTF_8));
      event.writeTo(out);
      out.writeBytes("\n\n".getBytes(UTF_8));
    }

    @Override
    String keepAlive() {
      return ": keep-alive\n\n";
    }

    @Override
    String end(End end) {
      return "event: end\ndata: {\"reason\":\"%s\"}\n\n".formatted(end.word());
    }
  },
  /** An object in each line. */
  NDJSON {
    @Override
    String begin(Duration pauseBeforeNext) {
      return "";
    }

    @Override
    void write(SentEvent event, ByteArrayOutputStream out) {
      event.writeTo(out);
      out.write('\n');
    }

    @Override
    String keepAlive() {
      return "\n";
    }

    @Override
    String end(End end) {
      return "";
    }
  };

  /**
   * What comes before the first event.
   *
   * @param pauseBeforeNext how long to wait before coming again, where that can be said
   */
  abstract String begin(Duration pauseBeforeNext);

  /** Writes an event. */
  abstract void write(SentEvent event, ByteArrayOutputStream out);

  /** What shows that the connection lives, and is no event. */
  abstract String keepAlive();

  /** What comes after the last event. */
  abstract String end(End end);

  /** Why a stream ends. */
  enum End {
    /** The job is over. */
    OVER("over"),
    /** The token is no longer valid. */
    EXPIRED("expired"),
    /** There is no such job any more, or the server stops. */
    CLOSED("closed");

    private final String word;

    End(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }
}
