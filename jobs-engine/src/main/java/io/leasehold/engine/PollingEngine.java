package io.leasehold.engine;

import io.leasehold.engine.memory.MemoryWorker;
import io.leasehold.engine.notify.WakeWorker;
import io.leasehold.engine.run.Worker;
import io.leasehold.engine.upkeep.Upkeep;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Works with one worker for stored jobs and one for those in memory, and keeps the queue in order.
 */
final class PollingEngine implements JobEngine {

  private final Worker worker;
  private final MemoryWorker memory;
  private final Upkeep upkeep;
  private final WakeWorker wake;
  private final CheckHealth checkHealth;
  private final AtomicBoolean running = new AtomicBoolean();

  @Inject
  PollingEngine(
      Worker worker, MemoryWorker memory, Upkeep upkeep, WakeWorker wake, CheckHealth checkHealth) {
    this.worker = worker;
    this.memory = memory;
    this.upkeep = upkeep;
    this.wake = wake;
    this.checkHealth = checkHealth;
  }

  @Override
  public void start() {
    running.set(true);
    upkeep.start();
    worker.start();
    memory.start();
    wake.start();
    checkHealth.started();
  }

  @Override
  public EngineHealth health() {
    return checkHealth.check();
  }

  @Override
  public void stop(Duration grace) {
    if (running.compareAndSet(true, false)) {
      var deadline = System.nanoTime() + grace.toNanos();
      memory.refuse();
      worker.stop(grace);
      memory.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
      upkeep.stop();
      wake.stop();
    }
  }
}
