package io.leasehold.engine.finish;

import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.lease.PutOff;
import io.leasehold.engine.metrics.AttemptOutcome;
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

  /** It could not begin, for this process has no handler for the job: others may. */
  static Ending withoutHandler(ClaimedJob job) {
    return new Later(job.id(), job.token(), ASIDE, PutOff.ASIDE);
  }

  /** Of which job. */
  JobId id();

  /** Of the lease under which it ran. */
  long token();

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
