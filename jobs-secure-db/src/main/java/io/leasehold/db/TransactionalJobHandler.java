package io.leasehold.db;

import io.leasehold.jobs.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one kind of job in a transaction of the job's tenant. Its writes and the job's
 * success are committed together or not at all, so its effect in the database takes place exactly
 * once.
 *
 * <p>If an interceptor has opened a transaction of the job's caller around the handler, the handler
 * joins it: effect and end are committed when the outermost transaction commits, and rolled back
 * with it. If the answer to the commit is lost, the engine asks the database for the outcome.
 *
 * <p>The transaction holds a connection while the handler works, and has the usual time limits. For
 * work that waits for other systems, {@link io.leasehold.jobs.JobHandler} is better.
 *
 * @param <I> the input
 * @param <O> the output
 */
@FunctionalInterface
public interface TransactionalJobHandler<I, O extends @Nullable Object> {

  /**
   * Does the work in the transaction. Returning means success; throwing means failure, and rolls
   * the work back.
   */
  O run(ScopedTransaction tx, JobContext job, I input) throws Exception;

  /**
   * Called after {@link #run} returned, in the same transaction. Its writes are committed with the
   * rest. If it throws, everything is undone, as if {@link #run} had thrown.
   */
  default void onSuccess(ScopedTransaction tx, JobContext job, I input, O output)
      throws Exception {}

  /**
   * Called, in a transaction of its own, when the job fails for good: its attempts are used up, or
   * it threw {@link io.leasehold.jobs.PermanentFailure}. The call comes before the failure is
   * stored, and is repeated if the worker is lost in between. There is no call for a job that was
   * cancelled, or that failed because its worker was lost. If the method throws, the exception is
   * logged and its writes are undone; nothing else changes.
   *
   * @param failure what the last attempt threw
   */
  default void onFailure(ScopedTransaction tx, JobContext job, I input, Throwable failure)
      throws Exception {}
}
