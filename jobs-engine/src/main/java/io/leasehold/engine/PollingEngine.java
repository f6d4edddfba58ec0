package io.leasehold.engine;

import io.leasehold.engine.inmemory.EngineWorkers;
import io.leasehold.engine.maintenance.Maintenance;
import io.leasehold.engine.signal.wakeup.WakeWorker;
import io.leasehold.engine.signal.watch.HintedJobWatch;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Combines a worker for stored jobs, a worker for in-memory jobs, maintenance, and a listener. The
 * workers and maintenance run only if this process has the corresponding role.
 */
final class PollingEngine implements JobEngine {

  private final EngineWorkers workers;
  private final Maintenance maintenance;
  private final WakeWorker wakeWorker;
  private final HintedJobWatch watch;
  private final CheckHealth checkHealth;
  private final AtomicBoolean running = new AtomicBoolean();

  @Inject
  PollingEngine(
      EngineWorkers workers,
      Maintenance maintenance,
      WakeWorker wakeWorker,
      HintedJobWatch watch,
      CheckHealth checkHealth) {
    this.workers = workers;
    this.maintenance = maintenance;
    this.wakeWorker = wakeWorker;
    this.watch = watch;
    this.checkHealth = checkHealth;
  }

  @Override
  public void start() {
    running.set(true);
    maintenance.start();
    workers.start();
    wakeWorker.start();
    watch.start();
    checkHealth.started();
  }

  @Override
  public EngineHealth health() {
    return checkHealth.check();
  }

  @Override
  public void stop(Duration grace) {
    if (running.compareAndSet(true, false)) {
      workers.stop(grace);
      maintenance.stop();
      watch.stop();
      wakeWorker.stop();
      checkHealth.stopped();
    }
  }
}
