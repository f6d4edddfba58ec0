package io.leasehold.jobs;

import java.io.Serial;

/** Thrown by a handler to fail the job permanently, even if attempts are left. */
public final class PermanentFailure extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** Creates a failure with a message. */
  public PermanentFailure(String message) {
    super(message);
  }

  /** Creates a failure with a message and a cause. */
  public PermanentFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
