package io.leasehold.engine;

/**
 * Runs due jobs on the calling thread, for tests and for programs that drain a queue and exit. Does
 * not need a {@link JobEngine#start started} engine, and can be used alongside started engines.
 * Safe to share between threads.
 */
public interface DueJobs {

  /**
   * Runs the due jobs of the registered handlers one after the other, including the jobs that they
   * submit, until none is left. Jobs that wait for a later time or for their next attempt are not
   * run.
   *
   * <p>No monitoring takes place: timeouts, cancellation and a lost lease do not interrupt these
   * jobs. Writes after a lost lease are still refused, as always.
   *
   * @return the number of attempts that ran
   */
  int run();
}
