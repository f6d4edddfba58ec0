package io.leasehold.engine;

/**
 * Runs what is due on the calling thread: for tests, and for programs that work off a queue and
 * end. Needs no {@link JobEngine#start started} engine, and gets along with those that are. Safe to
 * share between threads.
 */
public interface DueJobs {

  /**
   * Runs the jobs of the registered handlers that may run now, one after the other, and those that
   * they submit, until none is left; what waits for a later time, for its next attempt too, is
   * left.
   *
   * <p>Nobody watches over them: time limits, cancellation and the loss of a lease interrupt
   * nothing here, though what a lost lease would write is refused as ever.
   *
   * @return how many attempts ran
   */
  int run();
}
