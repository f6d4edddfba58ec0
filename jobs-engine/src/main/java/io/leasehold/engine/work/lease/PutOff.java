package io.leasehold.engine.work.lease;

/** Why a job goes back without an attempt counted. */
public enum PutOff {
  /** Its handler could not work at that moment. */
  LATER,
  /** This worker does not know its handler. */
  ASIDE;

  /** As it is stored. */
  String word() {
    return this == LATER ? "later" : "aside";
  }
}
