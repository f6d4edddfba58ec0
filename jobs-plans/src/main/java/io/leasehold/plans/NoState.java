package io.leasehold.plans;

/** The state type of plans whose tasks have no state. It has no instances. */
public final class NoState {

  private NoState() {}
}
