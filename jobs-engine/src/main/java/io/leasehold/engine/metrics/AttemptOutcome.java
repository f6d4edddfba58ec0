package io.leasehold.engine.metrics;

import io.leasehold.jobs.JobStatus;
import java.util.Locale;

/** The outcome of an attempt, or of a lease without an attempt. */
public enum AttemptOutcome {
  /** The job finished and succeeded. */
  SUCCEEDED,
  /** The job finished: this was its last attempt, and it failed. */
  FAILED,
  /** The job finished: this was its last attempt, and it took too long. */
  TIMED_OUT,
  /** The job finished because its tenant cancelled it. */
  CANCELLED,
  /** The attempt failed or took too long, and will be retried. */
  RETRIED,
  /** The attempt could not work now, and does not count. */
  PUT_OFF,
  /** The lease was lost: none of the attempt's results were written. */
  LOST,
  /** The job was released for another worker. */
  RELEASED;

  /** Returns the outcome of a last attempt, given the final status of the job. */
  public static AttemptOutcome of(JobStatus last) {
    return switch (last) {
      case SUCCEEDED -> SUCCEEDED;
      case TIMED_OUT -> TIMED_OUT;
      case CANCELLED -> CANCELLED;
      case FAILED, QUEUED, RUNNING -> FAILED;
    };
  }

  /** Returns the value of the tag. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
