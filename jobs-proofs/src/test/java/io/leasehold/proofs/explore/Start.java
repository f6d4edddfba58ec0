package io.leasehold.proofs.explore;

import java.util.Arrays;
import java.util.List;
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
  SUCCEEDED,
  /** A runs it, and it would go on without A. */
  ADOPTABLE,
  /** The same, but A's lease is over. */
  FORSAKEN,
  /** The job continues without a worker; A's lease was lost. */
  ORPHANED;

  /** The starts from which no worker adopts the job. */
  static List<Start> usual() {
    return Arrays.stream(values()).filter(start -> !start.isAdoptable()).toList();
  }

  /** Where jobs are that go on without their workers. */
  static List<Start> adoptable() {
    return Arrays.stream(values()).filter(Start::isAdoptable).toList();
  }

  private boolean isAdoptable() {
    return this == ADOPTABLE || this == FORSAKEN || this == ORPHANED;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether A may end the job, or lose it. */
  boolean isHeldByA() {
    return this == LEASED || this == EXPIRED || this == ADOPTABLE || this == FORSAKEN;
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
