package io.leasehold.jobs.schedules;

import java.util.Locale;

/**
 * What happens to the missed slots of a schedule. A slot is missed if it could not be fired within
 * a minute, because no process with the maintenance role was running or the database was down. A
 * slot that is only a little late is not missed, and its job is submitted.
 */
public enum MissedSlots {
  /** Missed slots are skipped: the schedule continues from now. */
  SKIP,
  /** One job is submitted for all missed slots: the job of the last one. */
  ONCE,
  /** A job is submitted for each missed slot; if there are more than 100, for the last 100. */
  ALL;

  /** Returns the name that the database and JSON use. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Parses the text that {@link #word} returns.
   *
   * @throws IllegalArgumentException if the text is not a valid name
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
