package io.leasehold.jobs;

import java.io.Serial;

/**
 * What the platform could not do for its caller.
 *
 * <p>The {@link #code} tells what happened and who can put it right. The message is for the log of
 * the service: it may name tables, and is not to be shown to a tenant's people.
 */
public final class JobsException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /** Without a cause: what the platform itself refuses. The message must not name a secret. */
  public JobsException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  /** With what the database or the driver threw, which stays readable as the cause. */
  public JobsException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** What happened. */
  public ErrorCode code() {
    return code;
  }
}
