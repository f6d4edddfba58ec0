package io.leasehold.engine.service.submit;

import io.leasehold.engine.signal.Dependents;

/** Ignores the dependents of jobs. */
public final class NoDependents implements Dependents {

  @Override
  public void look() {}

  @Override
  public void ended() {}
}
