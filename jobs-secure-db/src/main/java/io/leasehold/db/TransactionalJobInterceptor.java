package io.leasehold.db;

import io.leasehold.jobs.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs inside the transaction of each {@link TransactionalJobHandler}, for example to set the
 * module's settings for its triggers and views, write an audit, or submit jobs. Its writes are
 * committed with the handler's work and the end of the job, or not at all.
 *
 * <p>Several interceptors nest: {@code before} runs in the order of their registration, {@code
 * after} in the reverse order. All of them run inside every {@link
 * io.leasehold.jobs.spi.JobInterceptor}. Called by several threads at once.
 */
public interface TransactionalJobInterceptor {

  /**
   * Runs in the transaction before the handler. If it throws, the transaction is rolled back and
   * the attempt ends, as if the handler had thrown the exception; the handler does not run.
   *
   * @param job its metadata include the values added by {@link
   *     io.leasehold.jobs.spi.JobInterceptor#submitting}
   */
  default void before(ScopedTransaction tx, JobContext job) throws Exception {}

  /**
   * Runs in the transaction after the handler and {@link TransactionalJobHandler#onSuccess} have
   * returned, before the end of the job is written. If it throws, the transaction is rolled back
   * and the attempt ends, as if the handler had thrown the exception. It is not called if the
   * handler threw.
   *
   * @param output what the handler returned
   */
  default void after(ScopedTransaction tx, JobContext job, @Nullable Object output)
      throws Exception {}

  /**
   * Runs before {@link TransactionalJobHandler#onFailure}, in the transaction of that call; by
   * default the same as {@link #before}. If it throws, the exception is logged, that transaction is
   * rolled back, and {@code onFailure} is not called.
   */
  default void beforeFailure(ScopedTransaction tx, JobContext job) throws Exception {
    before(tx, job);
  }
}
