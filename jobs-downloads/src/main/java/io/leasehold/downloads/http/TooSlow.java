package io.leasehold.downloads.http;

import java.io.Serial;
import java.net.SocketTimeoutException;

/**
 * A server that sends something and is slower than it has to be. It is not asked again at once, or
 * it could hold its client for as long as it likes.
 */
public final class TooSlow extends SocketTimeoutException {

  @Serial private static final long serialVersionUID = 1L;

  /** The message names no path. */
  public TooSlow(String message) {
    super(message);
  }
}
