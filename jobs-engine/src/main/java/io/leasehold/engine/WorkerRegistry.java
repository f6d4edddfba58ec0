package io.leasehold.engine;

import java.util.List;

/**
 * Lists the workers of all processes. This interface is for programs of the platform team and not
 * for tenants, because workers run the jobs of all tenants. Safe to share between threads.
 *
 * <p>Each worker writes a heartbeat with its load every few seconds. The list is for people; only
 * leases decide who runs a job.
 */
public interface WorkerRegistry {

  /**
   * Lists all known workers, ordered by name and then by start time. The list includes running
   * workers, and stale workers until maintenance removes them, a day after their last heartbeat. At
   * most 10,000.
   */
  List<RegisteredWorker> workers();
}
