package io.leasehold.engine.work.handlers;

import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import jakarta.inject.Provider;

/**
 * A handler and its type of job.
 *
 * @param <I> the input
 * @param <O> the output
 */
public sealed interface RegisteredHandler<I, O> {

  /** Returns the type of job. */
  JobType<I, O> type();

  /**
   * A handler that runs without a transaction of the platform.
   *
   * @param handler provides the handler
   */
  record Plain<I, O>(JobType<I, O> type, Provider<? extends JobHandler<I, O>> handler)
      implements RegisteredHandler<I, O> {}

  /**
   * A handler that runs in the transaction that ends the job.
   *
   * @param handler provides the handler
   */
  record InTransaction<I, O>(
      JobType<I, O> type, Provider<? extends TransactionalJobHandler<I, O>> handler)
      implements RegisteredHandler<I, O> {}
}
