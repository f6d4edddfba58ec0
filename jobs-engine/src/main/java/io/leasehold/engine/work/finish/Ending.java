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

/** How an attempt ended, and the fence under which the ending may be written. */
public sealed interface Ending {

  /** How long a job is put aside if the process does not have its handler. */
  Duration ASIDE = Duration.ofSeconds(10);

  /** How long a job waits if no thread could be started for it. */
  Duration PAUSE = Duration.ofSeconds(1);

  /**
   * The attempt could not begin. If no worker can run the job as it is stored, the job fails. If
   * only this process lacks its handler, the job is left to other processes.
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

  /** The attempt could not begin because no thread could be started. It does not count. */
  static Ending withoutThread(ClaimedJob job) {
    return new Later(job.id(), job.token(), PAUSE);
  }

  /**
   * The attempt failed and its retry policy could not be asked, for example for lack of memory. It
   * counts, and the next attempt, if any, comes after {@link #ASIDE}.
   */
  static Ending unjudged(ClaimedJob job, Throwable failure) {
    var error = failure.getClass().getName();
    return job.attempt() < job.maxAttempts()
        ? new Again(job.id(), job.token(), JobStatus.FAILED, error, ASIDE)
        : new Last(job.id(), job.token(), JobStatus.FAILED, null, Optional.of(error));
  }

  /** The id of the job. */
  JobId id();

  /** The token of the lease that the attempt ran under. */
  long token();

  /** The lease that the attempt ran under. */
  default HeldLease lease() {
    return new HeldLease(id(), token());
  }

  /** The outcome of the attempt once the ending is written. */
  default AttemptOutcome outcome() {
    return switch (this) {
      case Again _ -> AttemptOutcome.RETRIED;
      case Later _ -> AttemptOutcome.PUT_OFF;
      case Last last -> AttemptOutcome.of(last.status());
      case Removed _ -> AttemptOutcome.CANCELLED;
    };
  }

  /**
   * The attempt was the last one.
   *
   * @param status the final status of the job
   * @param result what the handler returned
   * @param error the error of the job
   */
  record Last(JobId id, long token, JobStatus status, @Nullable JSON result, Optional<String> error)
      implements Ending {}

  /**
   * The attempt was the last one, because removal of the job was requested. The removal follows
   * soon; until then the job counts as failed.
   */
  record Removed(JobId id, long token) implements Ending {

    /** The error of such a job. */
    public static final String ERROR = "cancelled";

    /** Returns the ending as it is written. */
    public Last asLast() {
      return new Last(id, token, JobStatus.FAILED, null, Optional.of(ERROR));
    }
  }

  /**
   * There will be another attempt.
   *
   * @param status how this attempt ended: failed or timed out
   * @param error the error of this attempt
   * @param delay how long the job waits for the next attempt
   */
  record Again(JobId id, long token, JobStatus status, String error, Duration delay)
      implements Ending {}

  /**
   * The attempt could not work because something was temporarily unavailable. It does not count.
   *
   * @param delay how long the job waits until it is tried again
   * @param why the reason shown meanwhile
   */
  record Later(JobId id, long token, Duration delay, PutOff why) implements Ending {

    /** The job's handler could not work. */
    public Later(JobId id, long token, Duration delay) {
      this(id, token, delay, PutOff.LATER);
    }
  }
}
