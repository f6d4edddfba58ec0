package io.leasehold.jobs;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of one kind of job. Registered once; runs for many jobs at once, each on a virtual
 * thread of its own.
 *
 * <p>It runs at least once per job: again after a failure, if attempts are left, and after its
 * worker was lost. Effects outside the database are told apart by {@link JobContext#fenceToken}.
 *
 * @param <I> the input
 * @param <O> the output
 */
@FunctionalInterface
public interface JobHandler<I, O extends @Nullable Object> {

  /**
   * Works. To return is to succeed, to throw is to fail; {@link PermanentFailure} fails for good,
   * {@link RetryLater} does not count.
   *
   * <p>The thread is interrupted when the job takes longer than it may, some time after it was
   * cancelled, and before its lease can be taken over.
   */
  O run(JobContext job, I input) throws Exception;

  /**
   * Is told that {@link #run} returned, before the job's end is stored. Part of the attempt, on the
   * same instance and thread: it may run again if the worker is lost in between. It may take as
   * long as the attempt, and 30 s at most; then its thread is interrupted. What it throws is logged
   * and changes nothing.
   */
  default void onSuccess(JobContext job, I input, O output) throws Exception {}

  /**
   * Is told that the job fails for good: its attempts are used up, or it threw {@link
   * PermanentFailure}, or its {@link RetryPolicy} sees no point in another. Called before that is
   * stored, and not for a job that was cancelled or is removed, or failed because its worker was
   * lost. Part of the attempt and limited in time like {@link #onSuccess}.
   *
   * @param failure what the last attempt threw
   */
  default void onFailure(JobContext job, I input, Throwable failure) throws Exception {}
}
