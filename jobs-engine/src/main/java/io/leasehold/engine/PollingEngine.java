package io.leasehold.engine;

import io.leasehold.engine.inmemory.MemoryWorker;
import io.leasehold.engine.maintenance.Duties;
import io.leasehold.engine.maintenance.Maintenance;
import io.leasehold.engine.signal.wakeup.WakeWorker;
import io.leasehold.engine.signal.watch.HintedJobWatch;
import io.leasehold.engine.work.run.Worker;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Combines a worker for stored jobs, a worker for in-memory jobs, maintenance, and a listener. The
 * workers and maintenance run only if this process has the corresponding role.
 */
final class PollingEngine implements JobEngine {

  private final Worker worker;
  private final MemoryWorker memory;
  private final Maintenance upkeep;
  private final Hints hints;
  private final Duties duties;
  private final CheckHealth checkHealth;
  private final AtomicBoolean running = new AtomicBoolean();

  @Inject
  PollingEngine(
      Worker worker,
      MemoryWorker memory,
      Maintenance upkeep,
      Hints hints,
      Duties duties,
      CheckHealth checkHealth) {
    this.worker = worker;
    this.memory = memory;
    this.upkeep = upkeep;
    this.hints = hints;
    this.duties = duties;
    this.checkHealth = checkHealth;
  }

  /** Sends notifications to other processes and receives theirs. */
  record Hints(WakeWorker wake, HintedJobWatch watch) {

    @Inject
    Hints {}
  }

  @Override
  public void start() {
    running.set(true);
    upkeep.start();
    if (duties.works()) {
      worker.start();
      memory.start();
    }
    hints.wake().start();
    hints.watch().start();
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
      if (duties.works()) {
        memory.refuse();
        worker.stop(grace);
        memory.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
      }
      upkeep.stop();
      hints.watch().stop();
      hints.wake().stop();
      checkHealth.stopped();
    }
  }
}
