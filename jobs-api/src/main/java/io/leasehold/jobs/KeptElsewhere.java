package io.leasehold.jobs;

import java.io.IOException;

/**
 * What a service keeps of jobs outside of the database, and does not want for longer than the jobs
 * are there: snapshots of states, caches, folders. The maintenance removes what is kept of jobs
 * that are gone, if the place is registered with the engine. It belongs to one database: jobs that
 * are not in there are gone. Safe to share between threads and processes.
 */
public interface KeptElsewhere {

  /**
   * Shows each job of which anything is kept, or left over. What comes or goes meanwhile may be
   * shown or not.
   */
  void visit(Visitor visitor) throws IOException, InterruptedException;

  /** Removes all that is kept of a job, and what was left over by processes that ended. */
  void deleteAll(TenantId tenant, JobId job) throws IOException, InterruptedException;

  /**
   * Removes what processes that ended left over of a job that is there. What counts for the job, or
   * what a living process works on, stays.
   */
  void deleteLeftOver(TenantId tenant, JobId job) throws IOException, InterruptedException;

  /** Is shown what there is. */
  @FunctionalInterface
  interface Visitor {

    /** A job of which something is kept. */
    void job(TenantId tenant, JobId job) throws IOException, InterruptedException;
  }
}
