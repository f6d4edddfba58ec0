package io.leasehold.engine.maintenance.retention;

import io.leasehold.engine.signal.Dependents;

/** Counts how often it was told that jobs ended. */
public final class LookingDependents implements Dependents {

  private int looks;

  @Override
  public void look() {
    looks++;
  }

  @Override
  public void ended() {
    looks++;
  }

  public int looks() {
    return looks;
  }
}
