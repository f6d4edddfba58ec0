package io.leasehold.downloads.http;

import java.io.Serial;
import java.net.SocketTimeoutException;

/**
 * Thrown when a server sends data, but more slowly than required. The server is not asked again at
 * once, because otherwise it could occupy its client indefinitely.
 */
public final class TooSlow extends SocketTimeoutException {

  @Serial private static final long serialVersionUID = 1L;

  /** Creates an exception; the message must contain no path. */
  public TooSlow(String message) {
    super(message);
  }
}
