package io.leasehold.rest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.stream.write.SentEvent;
import io.leasehold.rest.stream.write.StreamFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A stream to one client, or a client that waits. Used by one thread, and cut by another. */
final class OpenStream implements AutoCloseable {

  private static final int BYTES_AT_ONCE = 32 << 10;
  private static final long NOT_WRITING = Long.MIN_VALUE;

  private final Exchange exchange;
  private final Runnable wake;
  private final Consumer<OpenStream> closed;

  private Optional<OutputStream> out = Optional.empty();

  /** The time in nanoseconds since when a write has been waiting for the client to read. */
  private volatile long writingSince = NOT_WRITING;

  private volatile boolean stopped;

  OpenStream(Exchange exchange, Runnable wake, Consumer<OpenStream> closed) {
    this.exchange = exchange;
    this.wake = wake;
    this.closed = closed;
  }

  /** Whether the server is stopping, so that this stream must end. */
  boolean isStopped() {
    return stopped;
  }

  /**
   * Ends a response that must be complete, if no time is left for the rest. It is cut off, so that
   * the client does not take a part for the whole.
   *
   * @throws InterruptedIOException if the server stops, or the token is no longer valid
   */
  void requireTime() throws InterruptedIOException {
    if (stopped) {
      throw new InterruptedIOException("the server stops");
    }
    if (!exchange.tokenRemaining().isPositive()) {
      throw new InterruptedIOException("the token is no longer valid");
    }
  }

  void stop() {
    stopped = true;
    wake.run();
  }

  boolean isStuckAt(long now, Duration most) {
    var since = writingSince;
    return since != NOT_WRITING && now - since > most.toNanos();
  }

  /** Makes the writer's next write fail. */
  void cut() {
    exchange.cut();
  }

  /** Starts a response with a status other than 200 and a known length. */
  void begin(int status, long length) throws IOException {
    out = Optional.of(exchange.stream(status, length));
  }

  void write(StreamFormat format, List<SentEvent> events) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var event : events) {
      format.write(event, bytes);
      if (bytes.size() >= BYTES_AT_ONCE) {
        write(bytes.toByteArray());
        bytes.reset();
      }
    }
    write(bytes.toByteArray());
  }

  void write(String words) throws IOException {
    write(words.getBytes(UTF_8));
  }

  private void write(byte[] bytes) throws IOException {
    write(bytes, bytes.length);
  }

  void write(byte[] bytes, int count) throws IOException {
    writingSince = System.nanoTime();
    try {
      if (out.isEmpty()) {
        out = Optional.of(exchange.stream());
      }
      out.get().write(bytes, 0, count);
      out.get().flush();
    } finally {
      writingSince = NOT_WRITING;
    }
  }

  @Override
  public void close() {
    closed.accept(this);
  }
}
