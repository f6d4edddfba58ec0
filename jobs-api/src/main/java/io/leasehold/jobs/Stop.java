package io.leasehold.jobs;

/** Why a running attempt has to stop. */
public enum Stop {
  /** It took longer than it may. */
  TIMED_OUT,
  /** Its tenant asked for the job's end. */
  CANCELLED,
  /** Its tenant asked for the job's removal, for which it has to end. */
  REMOVED,
  /** Its lease is lost, or may be lost before it is renewed. */
  LOST,
  /** The worker stops. */
  RELEASED;

  /**
   * Whether the job goes on, with another worker: what this attempt started elsewhere, and that one
   * will find, is not to be ended then.
   */
  public boolean goesOnElsewhere() {
    return this == LOST || this == RELEASED;
  }
}
