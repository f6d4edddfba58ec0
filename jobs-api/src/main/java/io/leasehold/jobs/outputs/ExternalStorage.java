package io.leasehold.jobs.outputs;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;

/**
 * A place outside the database where a service stores content for jobs, such as snapshots, caches
 * or folders. If the place is registered with the engine, maintenance deletes the content of jobs
 * that no longer exist. A place belongs to one database: a job that is not in that database counts
 * as deleted. Safe to share between threads and processes.
 */
public interface ExternalStorage {

  /**
   * Visits each job that has content or leftovers in this place. Content that is added or removed
   * during the visit may be included or not.
   */
  void visit(Visitor visitor) throws IOException, InterruptedException;

  /** Deletes all content of a job, and any leftovers of processes that have ended. */
  void deleteAll(TenantId tenant, JobId job) throws IOException, InterruptedException;

  /**
   * Deletes the leftovers of ended processes for a job that still exists. Content that counts for
   * the job, or that a live process is working on, is kept.
   */
  void deleteLeftOver(TenantId tenant, JobId job) throws IOException, InterruptedException;

  /** Receives the jobs that have content. */
  @FunctionalInterface
  interface Visitor {

    /** Called for a job that has content. */
    void job(TenantId tenant, JobId job) throws IOException, InterruptedException;
  }
}
