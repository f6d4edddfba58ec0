package io.leasehold.engine.work.handlers;

import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import jakarta.inject.Provider;

/**
 * A handler and the kind of job that it is for.
 *
 * @param <I> the input
 * @param <O> the output
 */
public sealed interface RegisteredHandler<I, O> {

  /** The kind of job. */
  JobType<I, O> type();

  /**
   * It works on its own.
   *
   * @param handler gives the handler
   */
  record Plain<I, O>(JobType<I, O> type, Provider<? extends JobHandler<I, O>> handler)
      implements RegisteredHandler<I, O> {}

  /**
   * It works in the transaction that ends the job.
   *
   * @param handler gives the handler
   */
  record InTransaction<I, O>(
      JobType<I, O> type, Provider<? extends TransactionalJobHandler<I, O>> handler)
      implements RegisteredHandler<I, O> {}
}
