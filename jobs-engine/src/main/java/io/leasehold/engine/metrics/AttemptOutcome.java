package io.leasehold.engine.metrics;

import io.leasehold.jobs.JobStatus;
import java.util.Locale;

/** What became of an attempt, or of a lease without one. */
public enum AttemptOutcome {
  /** The job is over, and succeeded. */
  SUCCEEDED,
  /** The job is over: this was its last attempt, and failed. */
  FAILED,
  /** The job is over: this was its last attempt, and took too long. */
  TIMED_OUT,
  /** The job is over, as its tenant asked. */
  CANCELLED,
  /** It failed or took too long, and there will be another. */
  RETRIED,
  /** It could not work at present, and does not count. */
  PUT_OFF,
  /** The lease was lost: whatever it did was not written. */
  LOST,
  /** The job was given back, for another worker. */
  RELEASED;

  /** Of an attempt that was the last, by what the job ended as. */
  public static AttemptOutcome of(JobStatus last) {
    return switch (last) {
      case SUCCEEDED -> SUCCEEDED;
      case TIMED_OUT -> TIMED_OUT;
      case CANCELLED -> CANCELLED;
      case FAILED, QUEUED, RUNNING -> FAILED;
    };
  }

  /** The value of the tag. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
