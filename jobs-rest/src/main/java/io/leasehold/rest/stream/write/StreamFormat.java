package io.leasehold.rest.stream.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;

/** How events are written one after the other. */
public enum StreamFormat {
  /** Server-sent events, as browsers read them. */
  SSE {
    @Override
    public String begin(Duration pauseBeforeNext) {
      return "retry: %d\n\n".formatted(pauseBeforeNext.toMillis());
    }

    @Override
    public void write(SentEvent event, ByteArrayOutputStream out) {
      out.writeBytes(
          "id: %s\nevent: %s\ndata: ".formatted(event.cursor(), event.kind()).getBytes(UTF_8));
      event.writeTo(out);
      out.writeBytes("\n\n".getBytes(UTF_8));
    }

    @Override
    public String keepAlive() {
      return ": keep-alive\n\n";
    }

    @Override
    public String end(End end) {
      return "event: end\ndata: {\"reason\":\"%s\"}\n\n".formatted(end.word());
    }
  },
  /** One JSON object per line. */
  NDJSON {
    @Override
    public String begin(Duration pauseBeforeNext) {
      return "";
    }

    @Override
    public void write(SentEvent event, ByteArrayOutputStream out) {
      event.writeTo(out);
      out.write('\n');
    }

    @Override
    public String keepAlive() {
      return "\n";
    }

    @Override
    public String end(End end) {
      return "";
    }
  };

  /**
   * The text before the first event.
   *
   * @param pauseBeforeNext how long to wait before reconnecting, if the format supports it
   */
  public abstract String begin(Duration pauseBeforeNext);

  /** Writes an event. */
  public abstract void write(SentEvent event, ByteArrayOutputStream out);

  /** What shows that the connection lives, and is no event. */
  public abstract String keepAlive();

  /** What comes after the last event. */
  public abstract String end(End end);

  /** Why a stream ends. */
  public enum End {
    /** The job is over. */
    OVER("over"),
    /** The token is no longer valid. */
    EXPIRED("expired"),
    /** The job no longer exists, or the server stops. */
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
