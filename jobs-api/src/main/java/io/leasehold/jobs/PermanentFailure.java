package io.leasehold.jobs;

import java.io.Serial;

/** Thrown by a handler: the job fails, whatever attempts are left. */
public final class PermanentFailure extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** Fails for a reason in words. */
  public PermanentFailure(String message) {
    super(message);
  }

  /** Fails because of another failure. */
  public PermanentFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
