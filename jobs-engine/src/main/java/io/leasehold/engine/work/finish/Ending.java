package io.leasehold.engine.work.finish;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.metrics.AttemptOutcome;
import io.leasehold.engine.work.lease.PutOff;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import java.time.Duration;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/** How an attempt ended, and the fence under which that may be written. */
public sealed interface Ending {

  /** How long a job is put aside whose handler a process does not know. */
  Duration ASIDE = Duration.ofSeconds(10);

  /** How long a job waits for which no thread could be started. */
  Duration PAUSE = Duration.ofSeconds(1);

  /**
   * It could not begin: no worker can run the job as it is stored, which ends it, or this process
   * has no handler for it, and others may.
   */
  static Ending unbegun(ClaimedJob job) {
    return job.problem()
        .<Ending>map(problem -> unreadable(job, problem))
        .orElseGet(() -> new Later(job.id(), job.token(), ASIDE, PutOff.ASIDE));
  }

  private static Ending unreadable(ClaimedJob job, String problem) {
    return new Last(
        job.id(),
        job.token(),
        JobStatus.FAILED,
        null,
        Optional.of("the job cannot be run as it is stored: " + problem));
  }

  /** It could not begin for want of a thread, which does not count as an attempt. */
  static Ending withoutThread(ClaimedJob job) {
    return new Later(job.id(), job.token(), PAUSE);
  }

  /**
   * It failed, and its retry policy could not be asked, as when there is no memory left. It counts,
   * and the next attempt, if there is one, comes after {@link #ASIDE}.
   */
  static Ending unjudged(ClaimedJob job, Throwable failure) {
    var error = failure.getClass().getName();
    return job.attempt() < job.maxAttempts()
        ? new Again(job.id(), job.token(), JobStatus.FAILED, error, ASIDE)
        : new Last(job.id(), job.token(), JobStatus.FAILED, null, Optional.of(error));
  }

  /** Of which job. */
  JobId id();

  /** Of the lease under which it ran. */
  long token();

  /** The lease under which it ran. */
  default HeldLease lease() {
    return new HeldLease(id(), token());
  }

  /** What it makes of the attempt, once it is written. */
  default AttemptOutcome outcome() {
    return switch (this) {
      case Again _ -> AttemptOutcome.RETRIED;
      case Later _ -> AttemptOutcome.PUT_OFF;
      case Last last -> AttemptOutcome.of(last.status());
      case Removed _ -> AttemptOutcome.CANCELLED;
    };
  }

  /**
   * It was the last.
   *
   * @param status what the job ends as
   * @param result what the handler returned
   * @param error what it failed with
   */
  record Last(JobId id, long token, JobStatus status, @Nullable JSON result, Optional<String> error)
      implements Ending {}

  /**
   * It was the last, for somebody asked for the job's removal: that comes soon after. Until then
   * the job has failed.
   */
  record Removed(JobId id, long token) implements Ending {

    /** What such a job fails with. */
    public static final String ERROR = "cancelled";

    /** How that is written. */
    public Last asLast() {
      return new Last(id, token, JobStatus.FAILED, null, Optional.of(ERROR));
    }
  }

  /**
   * There will be another.
   *
   * @param status how this one ended: failed or timed out
   * @param error what it failed with
   * @param delay how long the job waits until then
   */
  record Again(JobId id, long token, JobStatus status, String error, Duration delay)
      implements Ending {}

  /**
   * It could not work for want of something that comes back, and does not count.
   *
   * @param delay how long the job waits until it is tried again
   * @param why what is said of it meanwhile
   */
  record Later(JobId id, long token, Duration delay, PutOff why) implements Ending {

    /** Its handler could not work. */
    public Later(JobId id, long token, Duration delay) {
      this(id, token, delay, PutOff.LATER);
    }
  }
}
