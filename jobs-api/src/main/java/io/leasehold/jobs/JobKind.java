package io.leasehold.jobs;

/** Where a job lives until it is over. */
public enum JobKind {
  /** In the database: it survives restarts, and any worker may run it. */
  RESTARTABLE,
  /**
   * In the process that took it: with any object as input, without a row, lost when that process
   * ends, and seen by nobody else.
   */
  IN_MEMORY
}
