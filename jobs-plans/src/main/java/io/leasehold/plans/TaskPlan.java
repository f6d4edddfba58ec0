package io.leasehold.plans;

import java.util.List;

/**
 * What a job consists of: tasks, done one after the other. {@link PlanHandler} makes a handler of
 * it. Used by many jobs at once.
 *
 * @param <I> the job's input
 * @param <O> the job's output
 * @param <S> what the tasks work on; {@link NoState} if on nothing that has to be kept
 */
public interface TaskPlan<I, O, S> {

  /**
   * The tasks for an input, in their order: 1 to 500, each with an id of its own. Asked at the
   * beginning of every attempt; what is the same as before, up to the first difference, is not done
   * again.
   */
  List<Task<S, ?>> tasks(I input);

  /** What the job gives when all tasks are done. */
  O result(I input, TaskOutputs outputs);
}
