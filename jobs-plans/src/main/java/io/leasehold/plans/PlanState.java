package io.leasehold.plans;

/**
 * The state of one attempt, used by one thread at a time.
 *
 * @param <S> the state that tasks work on
 */
public interface PlanState<S> {

  /**
   * Returns the state for a task. Each task asks for it, so it may be a different object after a
   * snapshot.
   */
  S get() throws Exception;

  /**
   * Saves the state as it is between two tasks. Nothing that a task left running may still change
   * it.
   *
   * @param to the snapshot to save
   */
  void snapshot(Snapshot to) throws Exception;

  /**
   * Shuts the state down gracefully and removes it. A worker waits 10 s for an interrupted handler,
   * so this should take less.
   */
  void close() throws Exception;

  /**
   * Ends the state at once and removes it: an attempt failed, and its state is no longer wanted.
   */
  void abort() throws Exception;
}
