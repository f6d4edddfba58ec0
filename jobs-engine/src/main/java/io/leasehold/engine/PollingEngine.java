package io.leasehold.engine;

import io.leasehold.engine.run.Worker;
import io.leasehold.engine.upkeep.Upkeep;
import jakarta.inject.Inject;
import java.time.Duration;

/** Works with one worker, and keeps the queue in order. */
final class PollingEngine implements JobEngine {

  private final Worker worker;
  private final Upkeep upkeep;

  @Inject
  PollingEngine(Worker worker, Upkeep upkeep) {
    this.worker = worker;
    this.upkeep = upkeep;
  }

  @Override
  public void start() {
    upkeep.start();
    worker.start();
  }

  @Override
  public void stop(Duration grace) {
    worker.stop(grace);
    upkeep.stop();
  }
}
