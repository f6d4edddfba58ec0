package io.leasehold.rest.client;

/**
 * Thrown when the server refused a call or cannot be reached; the message is one line that explains
 * why.
 */
public final class ServerProblem extends IllegalStateException {

  /** The status of a server that did not respond. */
  public static final int UNREACHABLE = 0;

  private static final long serialVersionUID = 1L;

  private final int status;

  ServerProblem(int status, String message) {
    super(message);
    this.status = status;
  }

  ServerProblem(String message, Exception cause) {
    super(message, cause);
    this.status = UNREACHABLE;
  }

  /** The response's status, or {@link #UNREACHABLE}. */
  public int status() {
    return status;
  }
}
