package io.leasehold.db;

import io.leasehold.jobs.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one kind of job in a transaction of the job's tenant: what it writes, and that
 * the job succeeded, commit together or not at all. So its effect in the database takes place
 * exactly once.
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
}
