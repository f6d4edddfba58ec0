package io.leasehold.rest.program.settings;

/** A role of a process. */
public enum ProgramRole {
  /** Serves the job API. */
  API,
  /** Claims and runs jobs. */
  WORKER,
  /** Rescues jobs of lost workers, moves due jobs, maintains partitions, deletes old data. */
  MAINTENANCE
}
