package io.leasehold.jobs;

/** Why a running attempt has to stop. */
public enum Stop {
  /** It took longer than it may. */
  TIMED_OUT,
  /** Its tenant asked for the job's end. */
  CANCELLED,
  /** Its tenant asked for the job's removal, for which it has to end. */
  REMOVED,
  /**
   * Its lease is lost, or may be lost before it is renewed: another worker goes on with the job.
   */
  LOST,
  /** The worker stops, and gives the job back: another one goes on with it. */
  RELEASED
}
