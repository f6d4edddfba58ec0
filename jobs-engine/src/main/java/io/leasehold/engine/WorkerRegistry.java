package io.leasehold.engine;

import java.util.List;

/**
 * The workers of all processes: for the platform team's own programs, and not for tenants, since
 * workers run the jobs of all tenants. Safe to share between threads.
 *
 * <p>Each worker writes a heartbeat every few seconds, with its load. The list is for people: only
 * leases decide about jobs.
 */
public interface WorkerRegistry {

  /**
   * All workers that are known, in the order of their names and then of their starts: those that
   * run, and stale ones until the maintenance removes them, a day after their last heartbeat. At
   * most 10,000.
   */
  List<RegisteredWorker> workers();
}
