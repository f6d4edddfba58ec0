package io.leasehold.engine.upkeep.remove;

import io.leasehold.engine.submit.Dependents;

/** Counts how often it was told that jobs ended. */
final class LookingDependents implements Dependents {

  private int looks;

  @Override
  public void look() {
    looks++;
  }

  @Override
  public void ended() {
    looks++;
  }

  int looks() {
    return looks;
  }
}
