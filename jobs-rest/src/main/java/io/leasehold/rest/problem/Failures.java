package io.leasehold.rest.problem;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;

/** What a failure means to whoever asked: the one place where that is decided. */
public final class Failures {

  private static final Duration SOON = Duration.ofSeconds(1);

  private Failures() {}

  /** Judges a failure. Nothing of its message gets out. */
  public static RequestRefusal judge(Throwable failure) {
    return switch (failure) {
      case RequestRefusal refusal -> refusal;
      case JobsException jobs -> judge(jobs);
      default -> RequestRefusal.of(Problem.FAILED);
    };
  }

  /** What a status means that something else than this service's own code answered with. */
  public static RequestRefusal ofStatus(int status) {
    var problem = Problem.ofStatus(status);
    return switch (problem) {
      case BUSY, UNAVAILABLE -> RequestRefusal.until(problem, SOON);
      default -> RequestRefusal.of(problem);
    };
  }

  /** A word for a failure, of which there are few: for the log, and for nobody who asks. */
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
      // Without a connection nothing can be done for anyone: that is no matter of how much is
      // asked.
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
