package io.leasehold.plans;

import java.util.Locale;

/** When a job's state is kept. A request chooses it for its job, see {@link SnapshotModes}. */
public enum SnapshotMode {
  /** After each task in the state: none of them is ever run twice. */
  ALWAYS,
  /**
   * After the last task: the final state is kept, and an interrupted job starts from the beginning.
   */
  FINAL,
  /** Never: the state is deleted with its attempt. */
  NONE;

  /** The mode in a job's metadata: {@code always}, {@code final} or {@code none}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
