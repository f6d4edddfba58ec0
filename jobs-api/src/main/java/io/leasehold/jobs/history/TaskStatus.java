package io.leasehold.jobs.history;

import java.util.Arrays;
import java.util.Locale;

/** The status of a task of a job. */
public enum TaskStatus {
  /** The task has not started. */
  PENDING,
  /**
   * The task is running. It keeps this status if the worker is lost, until the next attempt reports
   * another.
   */
  RUNNING,
  /** The attempt completed the task. */
  SUCCEEDED,
  /** An earlier attempt completed the task, so it is not repeated. */
  SKIPPED,
  /** The task failed, and its attempt failed with it. */
  FAILED,
  /**
   * The task was stopped: the job was cancelled, the attempt timed out, or the worker shut down.
   */
  CANCELLED;

  /** Returns the name used in events and in JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the status with this name.
   *
   * @throws IllegalArgumentException if there is no such status
   */
  public static TaskStatus of(String word) {
    return Arrays.stream(values())
        .filter(status -> status.word().equals(word))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no task has the status " + word));
  }
}
