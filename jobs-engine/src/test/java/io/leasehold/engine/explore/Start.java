package io.leasehold.engine.explore;

import java.util.Locale;

/** Where the job is before the operations begin, and what worker A has to do with that. */
enum Start {
  /** Waits; A's lease was lost. */
  READY,
  /** Is due; A's attempt failed. */
  SCHEDULED,
  /** A runs it. */
  LEASED,
  /** A runs it, but its lease is over. */
  EXPIRED,
  /** B runs it; A's lease was lost. */
  TAKEN_OVER,
  /** A ended it so. */
  FAILED,
  /** A ended it so. */
  SUCCEEDED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether A may end the job, or lose it. */
  boolean isHeldByA() {
    return this == LEASED || this == EXPIRED;
  }

  /** Whether the end of A's attempt is written. */
  boolean isEndedByA() {
    return this == SCHEDULED || this == FAILED || this == SUCCEEDED;
  }

  /** Whether the job has ended for good. */
  boolean isFinal() {
    return this == FAILED || this == SUCCEEDED;
  }

  int attempts() {
    return this == TAKEN_OVER ? 2 : 1;
  }
}
