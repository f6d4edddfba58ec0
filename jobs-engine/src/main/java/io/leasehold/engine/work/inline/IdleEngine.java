package io.leasehold.engine.work.inline;

import io.leasehold.engine.EngineHealth;
import io.leasehold.engine.EngineHealth.Phase;
import io.leasehold.engine.EngineHealth.Status;
import io.leasehold.engine.JobEngine;
import java.time.Duration;
import java.util.Optional;

/** An engine with nothing to start or stop: jobs run on the threads that submit them. */
public final class IdleEngine implements JobEngine {

  @Override
  public void start() {}

  @Override
  public void stop(Duration grace) {}

  /** Always up, as no part of the engine can be down. A caller sees failures when it submits. */
  @Override
  public EngineHealth health() {
    return new EngineHealth(
        new EngineHealth.Database(Status.UP, Optional.empty(), Optional.empty()),
        new EngineHealth.Listener(Status.UP, false, Optional.empty()),
        new EngineHealth.Worker(Status.UP, Phase.WORKING, Optional.empty(), Optional.empty(), 0));
  }
}
