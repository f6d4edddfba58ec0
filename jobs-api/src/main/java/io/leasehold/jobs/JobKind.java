package io.leasehold.jobs;

/** Where a job lives until it finishes. */
public enum JobKind {
  /** In the database: the job survives restarts, and any worker may run it. */
  RESTARTABLE,
  /**
   * In the process that accepted it: the job takes any object as input and has no row. It is lost
   * when the process ends, and no other process sees it.
   */
  IN_MEMORY
}
