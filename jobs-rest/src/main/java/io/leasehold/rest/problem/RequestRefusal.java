package io.leasehold.rest.problem;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a request with a problem. Has no stack trace: of refusals there can be many. */
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

  /** With the problem alone. */
  public static RequestRefusal of(Problem problem) {
    return new RequestRefusal(problem, null, null, null, null);
  }

  /**
   * With a sentence more.
   *
   * @param detail a sentence of ours, with nothing in it that the request or a failure said
   */
  public static RequestRefusal of(Problem problem, String detail) {
    return new RequestRefusal(problem, detail, null, null, null);
  }

  /** For a while. */
  public static RequestRefusal until(Problem problem, Duration retryAfter) {
    return new RequestRefusal(problem, null, retryAfter, null, null);
  }

  /**
   * Of a method.
   *
   * @param allow the methods that are taken, for the header of this name
   */
  public static RequestRefusal allowing(String allow) {
    return new RequestRefusal(Problem.METHOD_NOT_ALLOWED, null, null, allow, null);
  }

  /**
   * For a reason that is not told to whoever asked.
   *
   * @param reason a word of ours, of which there are few: for the log and the metrics
   */
  public static RequestRefusal because(Problem problem, String reason) {
    return new RequestRefusal(problem, null, null, null, reason);
  }

  /** What is wrong. */
  public Problem problem() {
    return problem;
  }

  /** A sentence more. */
  public Optional<String> detail() {
    return Optional.ofNullable(detail);
  }

  /** Why, for the log and the metrics alone. */
  public Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  /** When to try again. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** Which methods are taken. */
  public Optional<String> allow() {
    return Optional.ofNullable(allow);
  }
}
