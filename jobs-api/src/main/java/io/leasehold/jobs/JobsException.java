package io.leasehold.jobs;

import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the platform could not do for its caller.
 *
 * <p>The {@link #code} tells what happened and who can put it right. The message is for the log of
 * the service: it may name tables, and is not to be shown to a tenant's people.
 */
public final class JobsException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final @Nullable Limit limit;

  /** Without a cause: what the platform itself refuses. The message must not name a secret. */
  public JobsException(ErrorCode code, String message) {
    super(message);
    this.code = code;
    this.limit = null;
  }

  /**
   * Says which limit was met. Made without a stack trace: of refusals there can be many, and where
   * they come from is no question.
   */
  public JobsException(ErrorCode code, String message, Limit limit) {
    super(message, null, false, false);
    this.code = code;
    this.limit = limit;
  }

  /** With what the database or the driver threw, which stays readable as the cause. */
  public JobsException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.limit = null;
  }

  /** What happened. */
  public ErrorCode code() {
    return code;
  }

  /** Which limit was met, where it was one. */
  public Optional<Limit> limit() {
    return Optional.ofNullable(limit);
  }

  /**
   * A limit that was met.
   *
   * @param most how many, or how much, there may be
   * @param seen how many, or how much, there would have been, or was; of a value that is written as
   *     JSON, how much there was when its writing was given up
   */
  public record Limit(long most, long seen) implements Serializable {}
}
