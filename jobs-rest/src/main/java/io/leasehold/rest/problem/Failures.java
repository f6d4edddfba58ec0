package io.leasehold.rest.problem;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;

/** Maps exceptions to problems for the client: the only place that decides this. */
public final class Failures {

  private static final Duration SOON = Duration.ofSeconds(1);

  private Failures() {}

  /** Maps an exception. Nothing of its message is disclosed. */
  public static RequestRefusal judge(Throwable failure) {
    return switch (failure) {
      case RequestRefusal refusal -> refusal;
      case JobsException jobs -> judge(jobs);
      default -> RequestRefusal.of(Problem.FAILED);
    };
  }

  /** Maps a status that was set by a component outside of this service's own code. */
  public static RequestRefusal ofStatus(int status) {
    var problem = Problem.ofStatus(status);
    return switch (problem) {
      case BUSY, UNAVAILABLE -> RequestRefusal.until(problem, SOON);
      default -> RequestRefusal.of(problem);
    };
  }

  /** A word that classifies an exception, out of a small set: for the log, never for the client. */
  public static String kindOf(Throwable failure) {
    return switch (failure) {
      case RequestRefusal refusal -> refusal.problem().name();
      case JobsException jobs -> jobs.code().name();
      default -> failure.getClass().getSimpleName();
    };
  }

  private static RequestRefusal judge(JobsException failure) {
    return switch (failure.code().blame()) {
      case CALLER -> RequestRefusal.of(Problem.REFUSED);
      // Without a connection no caller can be served: this is not about the number of requests.
      case CAPACITY ->
          RequestRefusal.until(
              failure.code() == ErrorCode.POOL_EXHAUSTED ? Problem.UNAVAILABLE : Problem.BUSY,
              SOON);
      case PLATFORM ->
          switch (failure.code()) {
            case STATEMENT_REFUSED, STATEMENT_FAILED, DATABASE_UNSAFE, LEASE_LOST ->
                RequestRefusal.of(Problem.FAILED);
            default -> RequestRefusal.until(Problem.UNAVAILABLE, SOON);
          };
    };
  }
}
