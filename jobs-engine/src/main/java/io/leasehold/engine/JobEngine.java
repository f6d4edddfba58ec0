package io.leasehold.engine;

import java.time.Duration;

/**
 * Runs jobs in this process and maintains the queue, according to {@link EngineConfig#roles}, and
 * listens for notifications from other processes. An engine is started and stopped once, by {@code
 * main}. A call of {@code stop} has no effect if the engine is not started or already stopped.
 */
public interface JobEngine {

  /** Starts the engine's tasks in this process. */
  void start();

  /**
   * Returns the current health of the engine. The call sends no request and returns immediately.
   */
  EngineHealth health();

  /**
   * Stops the engine. It claims no more jobs, lets running jobs finish, interrupts those that
   * remain, and then releases unfinished jobs for other workers to claim at once. If the database
   * is unavailable, the leases expire instead.
   *
   * @param grace how long running jobs may continue; an interrupt of the calling thread ends it
   *     early
   */
  void stop(Duration grace);
}
