package io.leasehold.db;

import io.leasehold.jobs.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs inside the transaction of each {@link TransactionalJobHandler}: sets the module's settings
 * for its triggers and views, writes an audit, submits jobs. What it writes commits with the
 * handler's work and the end of the job, or not at all.
 *
 * <p>Several nest: {@code before} runs in the order of their registration, {@code after} in the
 * reverse order. All of them run inside of every {@link io.leasehold.jobs.JobInterceptor}. Called
 * by several threads at once.
 */
public interface TransactionalJobInterceptor {

  /**
   * Runs in the transaction before the handler. What this throws rolls the transaction back and
   * ends the attempt, as if the handler had thrown it; the handler does not run.
   *
   * @param job the metadata tell what {@link io.leasehold.jobs.JobInterceptor#submitting} added
   */
  default void before(ScopedTransaction tx, JobContext job) throws Exception {}

  /**
   * Runs in the transaction after the handler returned and {@link
   * TransactionalJobHandler#onSuccess}, before the end of the job is written. What this throws
   * rolls the transaction back and ends the attempt, as if the handler had thrown it. It is not
   * called if the handler threw.
   *
   * @param output what the handler returned
   */
  default void after(ScopedTransaction tx, JobContext job, @Nullable Object output)
      throws Exception {}

  /**
   * Runs before {@link TransactionalJobHandler#onFailure}, in the transaction of that call; by
   * default the same as {@link #before}. What this throws is logged, and that transaction is rolled
   * back: {@code onFailure} is not called.
   */
  default void beforeFailure(ScopedTransaction tx, JobContext job) throws Exception {
    before(tx, job);
  }
}
