package io.leasehold.jobs;

import java.util.Arrays;
import java.util.Locale;

/** Where a task of a job is. */
public enum TaskStatus {
  /** It has not begun. */
  PENDING,
  /** It is worked on; also if its worker was lost meanwhile, until the next attempt says more. */
  RUNNING,
  /** It is done, by that attempt. */
  SUCCEEDED,
  /** It was done by an earlier attempt, and is not done again. */
  SKIPPED,
  /** It failed, and its attempt with it. */
  FAILED,
  /**
   * It was stopped: the job's end was asked for, the attempt took too long, or its worker stops.
   */
  CANCELLED;

  /** As it stands in events and in JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The status with this word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static TaskStatus of(String word) {
    return Arrays.stream(values())
        .filter(status -> status.word().equals(word))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no task has the status " + word));
  }
}
