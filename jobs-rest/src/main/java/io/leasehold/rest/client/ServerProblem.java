package io.leasehold.rest.client;

/** The server refused a call, or cannot be reached: one line says why. */
public final class ServerProblem extends IllegalStateException {

  /** What is known of a server that did not answer. */
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

  /** The answer's status, or {@link #UNREACHABLE}. */
  public int status() {
    return status;
  }
}
