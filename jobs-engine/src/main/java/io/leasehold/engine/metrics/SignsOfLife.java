package io.leasehold.engine.metrics;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Records when each part last gave a sign of life, by the process's clock. Safe to share between
 * threads.
 */
public final class SignsOfLife {

  private static final Set<ErrorCode> UNANSWERED =
      Set.of(ErrorCode.DATABASE_UNREACHABLE, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.POOL_EXHAUSTED);

  private static final Set<ErrorCode> REFUSED =
      Set.of(
          ErrorCode.DATABASE_FULL,
          ErrorCode.DATABASE_READ_ONLY,
          ErrorCode.DATABASE_DEGRADED,
          ErrorCode.STATEMENT_FAILED);

  private final Moment answered = new Moment();
  private final Moment failed = new Moment();
  private final Moment refused = new Moment();
  private final Moment claimed = new Moment();
  private final Moment renewed = new Moment();
  private volatile Optional<Step> step = Optional.empty();

  /** A backward step of the database's clock: when, by the process's clock, and by how much. */
  private record Step(long at, Duration by) {}

  @Inject
  SignsOfLife() {}

  /** The last time that something happened. */
  private static final class Moment {

    private volatile long at;
    private volatile boolean was;

    void now() {
      at = System.nanoTime();
      was = true;
    }

    Optional<Duration> ago() {
      return was ? Optional.of(Duration.ofNanos(System.nanoTime() - at)) : Optional.empty();
    }

    boolean isAfter(Moment other) {
      return was && (!other.was || at - other.at > 0);
    }
  }

  /** Reports that the database executed a statement. */
  public void databaseAnswered() {
    answered.now();
  }

  /**
   * Reports that the database did not execute a statement. Some errors count as an answer as well.
   */
  public void databaseFailed(JobsException e) {
    (UNANSWERED.contains(e.code()) ? failed : answered).now();
    if (REFUSED.contains(e.code())) {
      refused.now();
    }
  }

  /** Reports that a queue was checked for jobs to claim. */
  public void claimed() {
    claimed.now();
    answered.now();
  }

  /** Reports that the leases were renewed. */
  public void renewed() {
    renewed.now();
    answered.now();
  }

  /** Reports that the database's clock went back. */
  public void clockWentBack(Duration by, Duration ago) {
    step = Optional.of(new Step(System.nanoTime() - ago.toNanos(), by));
  }

  /** Returns by how much the database's clock went back, if it did so within {@code within}. */
  public Optional<Duration> clockWentBackBy(Duration within) {
    return step.filter(last -> System.nanoTime() - last.at() <= within.toNanos()).map(Step::by);
  }

  /** Returns how long ago the database last answered. */
  public Optional<Duration> databaseAnsweredAgo() {
    return answered.ago();
  }

  /** Returns whether the database has not answered since it was last unreachable. */
  public boolean isDatabaseAway() {
    return failed.isAfter(answered);
  }

  /**
   * Returns how long ago the database last refused a statement of the engine for a lasting reason:
   * the disk is full, or the database is read-only.
   */
  public Optional<Duration> databaseRefusedAgo() {
    return refused.ago();
  }

  /** Returns how long ago a queue was last checked. */
  public Optional<Duration> claimedAgo() {
    return claimed.ago();
  }

  /** Returns how long ago the leases were last renewed. */
  public Optional<Duration> renewedAgo() {
    return renewed.ago();
  }
}
