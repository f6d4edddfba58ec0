package io.leasehold.rest.problem;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem. Has no stack trace, because refusals can be numerous. */
public final class RequestRefusal extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Problem problem;
  private final @Nullable String detail;
  private final @Nullable Duration retryAfter;
  private final @Nullable String allow;
  private final @Nullable String reason;

  private RequestRefusal(
      Problem problem,
      @Nullable String detail,
      @Nullable Duration retryAfter,
      @Nullable String allow,
      @Nullable String reason) {
    super(problem.title(), null, false, false);
    this.problem = problem;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.allow = allow;
    this.reason = reason;
  }

  /** Creates a refusal with a problem only. */
  public static RequestRefusal of(Problem problem) {
    return new RequestRefusal(problem, null, null, null, null);
  }

  /**
   * Creates a refusal with a further sentence.
   *
   * @param detail a constant sentence, which contains nothing from the request or an exception
   */
  public static RequestRefusal of(Problem problem, String detail) {
    return new RequestRefusal(problem, detail, null, null, null);
  }

  /** Creates a temporary refusal. */
  public static RequestRefusal until(Problem problem, Duration retryAfter) {
    return new RequestRefusal(problem, null, retryAfter, null, null);
  }

  /**
   * Creates a refusal of a method.
   *
   * @param allow the accepted methods, for the header of this name
   */
  public static RequestRefusal allowing(String allow) {
    return new RequestRefusal(Problem.METHOD_NOT_ALLOWED, null, null, allow, null);
  }

  /**
   * Creates a refusal with a reason that the client does not see.
   *
   * @param reason a constant word out of a small set, for the log and the metrics
   */
  public static RequestRefusal because(Problem problem, String reason) {
    return new RequestRefusal(problem, null, null, null, reason);
  }

  /** The problem. */
  public Problem problem() {
    return problem;
  }

  /** A further sentence about the problem. */
  public Optional<String> detail() {
    return Optional.ofNullable(detail);
  }

  /** The reason, for the log and the metrics only. */
  public Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  /** When to try again. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** The accepted methods. */
  public Optional<String> allow() {
    return Optional.ofNullable(allow);
  }
}
