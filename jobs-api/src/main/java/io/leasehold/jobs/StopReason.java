package io.leasehold.jobs;

/** Why a running attempt must stop. */
public enum StopReason {
  /** The attempt exceeded its timeout. */
  TIMED_OUT,
  /** The tenant cancelled the job. */
  CANCELLED,
  /** The tenant is deleting the job, which must end first. */
  REMOVED,
  /** The lease is lost, or may expire before it is renewed. */
  LOST,
  /** The worker is shutting down. */
  RELEASED;

  /**
   * Returns whether the job continues on another worker. If so, the handler must not end work that
   * it started elsewhere, because the next worker will find it.
   */
  public boolean goesOnElsewhere() {
    return this == LOST || this == RELEASED;
  }
}
