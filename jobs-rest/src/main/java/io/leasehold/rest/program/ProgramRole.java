package io.leasehold.rest.program;

/** What a process does. */
public enum ProgramRole {
  /** It serves the API of jobs. */
  API,
  /** It claims and runs jobs. */
  WORKER,
  /** It rescues jobs of lost workers, moves what is due, keeps partitions, removes what is old. */
  MAINTENANCE
}
