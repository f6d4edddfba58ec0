package io.leasehold.engine.signal;

/** Sees to jobs that wait for others. */
public interface Dependents {

  /**
   * Something was committed that may let some of them go on, or fail: workers and those who watch
   * are told, and what could not be done in that transaction is done. Only a hint, where an engine
   * with maintenance runs: it looks anyway.
   */
  void look();

  /** The same of jobs that ended: it is not known whether anybody waited for one of them. */
  void ended();
}
