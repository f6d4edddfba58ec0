package io.leasehold.plans;

/**
 * The state of one attempt, used by one thread at a time.
 *
 * @param <S> what tasks work on
 */
public interface PlanState<S> {

  /** What a task works on; asked for by each, so that it may be another one after a snapshot. */
  S get() throws Exception;

  /**
   * Keeps it as it is between two tasks. Nothing that a task left running may still change it.
   *
   * @param to where
   */
  void snapshot(Snapshot to) throws Exception;

  /**
   * Ends it gracefully, and removes it. A worker waits 10 s for a handler that was interrupted:
   * this should take less.
   */
  void close() throws Exception;

  /** Ends it at once, and removes it: something failed, and nothing of it is wanted any more. */
  void abort() throws Exception;
}
