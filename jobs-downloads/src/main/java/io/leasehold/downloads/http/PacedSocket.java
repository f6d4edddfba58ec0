package io.leasehold.downloads.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A connection whose server must keep a minimum rate. TLS runs on top of it, so that the server
 * cannot send a record or a handshake byte by byte either. Confined to one thread.
 *
 * <p>Only the time that this side spends waiting counts: a slow disk here is not the server's
 * fault.
 */
final class PacedSocket extends Socket {

  private static final long MILLI = 1_000_000;

  private final TransferRate pace;
  private final long headUntil;
  private boolean hasHead;

  /** The nanoseconds waited and the bytes received in the current period of {@code readTimeout}. */
  private long waited;

  private long arrived;

  /** Creates an unconnected socket and starts waiting for the head. */
  PacedSocket(TransferRate pace, long headUntil) {
    super(Proxy.NO_PROXY);
    this.pace = pace;
    this.headUntil = headUntil;
  }

  /** Reports that the head has arrived: from now on the rate counts. */
  void headArrived() {
    hasHead = true;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new Paced(super.getInputStream());
  }

  private final class Paced extends FilterInputStream {

    private Paced(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      var silentUntil = System.nanoTime() + pace.readTimeout().toNanos();
      while (true) {
        var begun = System.nanoTime();
        if (silentUntil - begun <= 0) {
          throw new SocketTimeoutException("the server sends nothing");
        }
        var most = Math.min(silentUntil - begun, left(begun));
        setSoTimeout(millis(most));
        var count = 0;
        try {
          count = super.read(bytes, offset, length);
        } catch (SocketTimeoutException e) {
          requirePace(0, most);
          continue;
        }
        // If the process was frozen meanwhile, the wait counts only up to its timeout.
        requirePace(Math.max(count, 0), Math.min(most, System.nanoTime() - begun));
        return count;
      }
    }
  }

  // Zero would mean no timeout.
  private static int millis(long nanos) {
    return (int) Math.max(1, nanos / MILLI);
  }

  private long left(long now) throws TooSlow {
    if (hasHead) {
      return pace.readTimeout().toNanos() - waited;
    }
    return headLeft(pace, headUntil, now).toNanos();
  }

  /** Returns the time left for a head; throws if there is none. */
  static Duration headLeft(TransferRate pace, long headUntil, long now) throws TooSlow {
    if (headUntil - now <= 0) {
      throw new TooSlow("the server has not sent a head within " + pace.headTimeout());
    }
    return Duration.ofNanos(headUntil - now);
  }

  private void requirePace(int count, long nanos) throws TooSlow {
    if (!hasHead) {
      return;
    }
    arrived += count;
    waited += nanos;
    if (waited >= pace.readTimeout().toNanos()) {
      if (arrived < pace.leastIn(Duration.ofNanos(waited))) {
        throw new TooSlow(
            "the server sends less than %d bytes a second".formatted(pace.leastRate()));
      }
      arrived = 0;
      waited = 0;
    }
  }
}
