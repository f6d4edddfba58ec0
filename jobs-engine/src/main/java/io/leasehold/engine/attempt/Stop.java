package io.leasehold.engine.attempt;

/** Why a running attempt has to stop. */
public enum Stop {
  /** It took longer than it may. */
  TIMED_OUT,
  /** Its tenant asked for the job's end. */
  CANCELLED,
  /** Its tenant asked for its removal, for which it has to end. */
  REMOVED,
  /** Its lease is lost, or may be lost before it is renewed. */
  LOST,
  /** The worker stops. */
  RELEASED
}
