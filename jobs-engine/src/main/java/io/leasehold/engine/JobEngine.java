package io.leasehold.engine;

import java.time.Duration;

/**
 * Works on jobs in this process, and for the queue, as far as {@link EngineConfig#roles} says; and
 * listens to other processes. Started and stopped once, by {@code main}; stopped again, or before
 * it was started, it does nothing.
 */
public interface JobEngine {

  /** Starts what this process does. */
  void start();

  /** How this engine does at this moment. Asks nobody, and takes no time. */
  EngineHealth health();

  /**
   * Stops: claims no more, lets running jobs end, then interrupts them and gives back what did not
   * end, to be claimed by others at once. Where the database is away, its leases run out instead.
   *
   * @param grace how long running jobs may go on; an interrupt ends it
   */
  void stop(Duration grace);
}
