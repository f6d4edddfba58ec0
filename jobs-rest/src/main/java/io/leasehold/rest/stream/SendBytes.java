package io.leasehold.rest.stream;

import io.leasehold.rest.http.Exchange;
import jakarta.inject.Inject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Sends a known number of bytes to a client, which counts as a stream until it has read them. */
public final class SendBytes {

  private static final int AT_ONCE = 32 << 10;

  private final OpenStreams streams;

  @Inject
  SendBytes(OpenStreams streams) {
    this.streams = streams;
  }

  /**
   * Answers with the next {@code length} bytes of the input.
   *
   * @throws io.leasehold.rest.problem.RequestRefusal if there are too many streams
   */
  public void send(Exchange exchange, int status, InputStream in, long length) throws IOException {
    try (var stream = streams.open(exchange)) {
      stream.begin(status, length);
      var buffer = new byte[AT_ONCE];
      for (var left = length; left > 0; ) {
        var count = in.read(buffer, 0, (int) Math.min(left, AT_ONCE));
        if (count < 0) {
          throw new EOFException("there are %d bytes less than there should be".formatted(left));
        }
        stream.write(buffer, count);
        left -= count;
        if (left > 0) {
          stream.requireTime();
        }
      }
    }
  }
}
