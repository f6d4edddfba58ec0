package io.leasehold.engine.signal;

/** Handles jobs that wait for other jobs. */
public interface Dependents {

  /**
   * Reports a commit that may let dependent jobs continue or fail. Workers and watchers are
   * notified, and the work that the transaction could not do is done now. Only a hint where an
   * engine with maintenance runs, since that engine checks anyway.
   */
  void look();

  /** Reports that jobs have ended, when it is unknown whether any job waited for them. */
  void ended();
}
