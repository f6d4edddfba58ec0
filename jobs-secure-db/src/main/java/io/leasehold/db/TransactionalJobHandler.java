package io.leasehold.db;

import io.leasehold.jobs.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one kind of job in a transaction of the job's tenant: what it writes, and that
 * the job succeeded, commit together or not at all. So its effect in the database takes place
 * exactly once.
 *
 * <p>If an interceptor has a transaction of the job's caller open around the handler, the handler
 * joins that one: effect and end are committed when the outermost transaction commits, and rolled
 * back with it. If the answer to the commit is lost, the engine asks the database what became of
 * it.
 *
 * <p>The transaction holds a connection while the handler works, and is limited in time like any
 * other: for work that waits for others, {@link io.leasehold.jobs.JobHandler} is better.
 *
 * @param <I> the input
 * @param <O> the output
 */
@FunctionalInterface
public interface TransactionalJobHandler<I, O extends @Nullable Object> {

  /** Works in the transaction. To return is to succeed, to throw is to fail and to undo. */
  O run(ScopedTransaction tx, JobContext job, I input) throws Exception;

  /**
   * Is told that {@link #run} returned, as a part of the same transaction: what it writes commits
   * with the rest, and what it throws undoes all of it, as if {@link #run} had thrown it.
   */
  default void onSuccess(ScopedTransaction tx, JobContext job, I input, O output)
      throws Exception {}

  /**
   * Is told, in a transaction of its own, that the job fails for good: its attempts are used up, or
   * it threw {@link io.leasehold.jobs.PermanentFailure}. Called before that is stored, and not for
   * a job that was cancelled, or failed because its worker was lost; again if the worker is lost in
   * between. What it throws is logged, undoes what it wrote, and changes nothing else.
   *
   * @param failure what the last attempt threw
   */
  default void onFailure(ScopedTransaction tx, JobContext job, I input, Throwable failure)
      throws Exception {}
}
