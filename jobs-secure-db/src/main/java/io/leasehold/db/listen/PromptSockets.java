package io.leasehold.db.listen;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Creates sockets with which the driver delivers notifications at once. The driver creates this
 * class by name.
 *
 * <p>After each notification, the driver checks for another one, and waits a millisecond for it,
 * ten times as long as the notification took. These sockets answer that check without waiting.
 */
public final class PromptSockets extends SocketFactory {

  /** Called by the driver. */
  public PromptSockets() {}

  @Override
  public Socket createSocket() {
    return new PromptSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw unconnectedOnly();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw unconnectedOnly();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw unconnectedOnly();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw unconnectedOnly();
  }

  private static IOException unconnectedOnly() {
    return new SocketException("only sockets that are not connected yet are made here");
  }

  private static final class PromptSocket extends Socket {

    // The timeout of the driver's check, in milliseconds. The driver uses it for nothing else.
    private static final int LOOK = 1;

    private volatile boolean looking;

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
      looking = timeout == LOOK;
      super.setSoTimeout(timeout);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          if (looking && in.available() == 0) {
            throw new SocketTimeoutException("nothing is there");
          }
          return in.read(bytes, from, length);
        }
      };
    }
  }
}
