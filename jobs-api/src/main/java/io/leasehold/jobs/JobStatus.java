package io.leasehold.jobs;

import java.util.Locale;

/** Where a job is in its life. The names in the database, in JSON and in logs are in lower case. */
public enum JobStatus {
  /** Waits for a worker, for its time, or for its next attempt. */
  QUEUED,
  /** A worker has the lease. */
  RUNNING,
  /** Its handler returned. */
  SUCCEEDED,
  /** Its last attempt failed: a dead letter, which can be retried. */
  FAILED,
  /** Its last attempt took longer than it may. */
  TIMED_OUT,
  /** Somebody of its tenant asked for its end, and so it ended. */
  CANCELLED;

  /** Whether only a retry by hand can change it. */
  public boolean isFinal() {
    return this != QUEUED && this != RUNNING;
  }

  /** As the database, JSON and logs name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what {@link #word} wrote.
   *
   * @throws IllegalArgumentException if it is none
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
