package io.leasehold.rest.stack;

/** How often a test tries what chance has a part in: {@code ./check full} wants the whole proof. */
public final class Proof {

  private Proof() {}

  /** So often by default, and so often for the proof. */
  public static int times(int some, int proof) {
    return "full".equals(System.getProperty("leasehold.proof")) ? proof : some;
  }
}
