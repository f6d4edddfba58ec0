package io.leasehold.engine.inmemory;

import io.leasehold.engine.maintenance.Duties;
import io.leasehold.engine.work.run.Worker;
import jakarta.inject.Inject;
import java.time.Duration;

/** The workers for stored and for in-memory jobs. They work only if this process runs jobs. */
public final class EngineWorkers {

  private final Worker stored;
  private final MemoryWorker memory;
  private final Duties duties;

  @Inject
  EngineWorkers(Worker stored, MemoryWorker memory, Duties duties) {
    this.stored = stored;
    this.memory = memory;
    this.duties = duties;
  }

  /** Starts to run jobs. */
  public void start() {
    if (duties.works()) {
      stored.start();
      memory.start();
    }
  }

  /** Refuses new jobs, lets running ones end within {@code grace}, and interrupts the rest. */
  public void stop(Duration grace) {
    if (duties.works()) {
      var deadline = System.nanoTime() + grace.toNanos();
      memory.refuse();
      stored.stop(grace);
      memory.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }
}
