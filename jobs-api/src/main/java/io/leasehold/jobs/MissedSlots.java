package io.leasehold.jobs;

import java.util.Locale;

/**
 * What becomes of slots of a schedule for which there was nobody within a minute: no process with
 * the role of maintenance, or no database. What is a little late is not missed, and has its job.
 */
public enum MissedSlots {
  /** They have no jobs: the schedule goes on with the present. */
  SKIP,
  /** One job stands for all of them, that of the last. */
  ONCE,
  /** Each has its job; of more than 100 the last 100. */
  ALL;

  /** As the database and JSON name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads what {@link #word} wrote.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static MissedSlots of(String word) {
    for (var missed : values()) {
      if (missed.word().equals(word)) {
        return missed;
      }
    }
    throw new IllegalArgumentException("missed must be skip, once or all, not " + word);
  }
}
