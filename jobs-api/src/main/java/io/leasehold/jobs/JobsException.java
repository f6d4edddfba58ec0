package io.leasehold.jobs;

import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports an operation that the platform could not perform for its caller.
 *
 * <p>The {@link #code} identifies the error and who can fix it. The message is for the log of the
 * service: it may name tables, and must not be shown to a tenant's users.
 */
public final class JobsException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final @Nullable Limit limit;

  /**
   * Creates an exception without a cause, for a refusal by the platform itself. The message must
   * not contain a secret.
   */
  public JobsException(ErrorCode code, String message) {
    super(message);
    this.code = code;
    this.limit = null;
  }

  /**
   * Creates an exception that names the exceeded limit. It has no stack trace: such refusals can be
   * frequent, and their origin is not in doubt.
   */
  public JobsException(ErrorCode code, String message, Limit limit) {
    super(message, null, false, false);
    this.code = code;
    this.limit = limit;
  }

  /** Creates an exception whose cause is the exception of the database or the driver. */
  public JobsException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.limit = null;
  }

  /** Returns the code of the error. */
  public ErrorCode code() {
    return code;
  }

  /** Returns the exceeded limit, if the error is about a limit. */
  public Optional<Limit> limit() {
    return Optional.ofNullable(limit);
  }

  /**
   * A limit that was exceeded.
   *
   * @param most the maximum number or amount
   * @param seen the number or amount that was requested or found; for a value that is written as
   *     JSON, the amount at which writing stopped
   */
  public record Limit(long most, long seen) implements Serializable {}
}
