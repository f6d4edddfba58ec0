package io.leasehold.jobs;

import java.util.Locale;

/** The status of a job. The database, JSON and logs use the names in lower case. */
public enum JobStatus {
  /** The job waits for a worker, for its delay, or for its next attempt. */
  QUEUED,
  /** A worker holds the lease. */
  RUNNING,
  /** The handler returned. */
  SUCCEEDED,
  /** The last attempt failed: the job is a dead letter and can be retried. */
  FAILED,
  /** The last attempt exceeded its timeout. */
  TIMED_OUT,
  /** The job ended because its tenant cancelled it. */
  CANCELLED;

  /** Returns whether the status is final: only a manual retry can change it. */
  public boolean isFinal() {
    return this != QUEUED && this != RUNNING;
  }

  /** Returns the name that the database, JSON and logs use. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Parses the text that {@link #word} returns.
   *
   * @throws IllegalArgumentException if the text is not a status
   */
  public static JobStatus of(String word) {
    for (var status : values()) {
      if (status.word().equals(word)) {
        return status;
      }
    }
    throw new IllegalArgumentException(
        "status must be one of queued, running, succeeded, failed, timed_out and cancelled, not "
            + word);
  }
}
