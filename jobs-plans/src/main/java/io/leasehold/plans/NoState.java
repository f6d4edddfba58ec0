package io.leasehold.plans;

/** What the tasks of a plan work on that has no state. There is none of these. */
public final class NoState {

  private NoState() {}
}
