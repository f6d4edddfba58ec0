package io.leasehold.engine.work.lease;

/** Why a job is put off without counting an attempt. */
public enum PutOff {
  /** Its handler could not work at that moment. */
  LATER,
  /** This worker does not have its handler. */
  ASIDE;

  /** Returns the stored form. */
  String word() {
    return this == LATER ? "later" : "aside";
  }
}
