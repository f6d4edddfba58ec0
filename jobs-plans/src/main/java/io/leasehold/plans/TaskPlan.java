package io.leasehold.plans;

import java.util.List;

/**
 * Defines the tasks of a job, which run one after the other. {@link PlanHandler} turns it into a
 * handler. One instance is used by many jobs at once.
 *
 * @param <I> the job's input
 * @param <O> the job's output
 * @param <S> the state that the tasks work on; {@link NoState} if there is none to keep
 */
public interface TaskPlan<I, O, S> {

  /**
   * Returns the tasks for an input, in order: 1 to 500, each with a unique id. Called at the start
   * of every attempt; finished tasks are skipped up to the first one that differs from before.
   */
  List<Task<S, ?>> tasks(I input);

  /** Returns the job's output when all tasks are done. */
  O result(I input, TaskOutputs outputs);
}
