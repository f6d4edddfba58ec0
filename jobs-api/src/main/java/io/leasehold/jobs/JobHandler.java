package io.leasehold.jobs;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of one job type. A handler is registered once and runs many jobs concurrently, each
 * on its own virtual thread.
 *
 * <p>A handler runs at least once per job. It runs again after a failure, while attempts are left,
 * and after its worker was lost. External systems tell the attempts apart by {@link
 * JobContext#fenceToken}.
 *
 * @param <I> the input
 * @param <O> the output
 */
@FunctionalInterface
public interface JobHandler<I, O extends @Nullable Object> {

  /**
   * Runs one attempt. The job succeeds if this method returns; the attempt fails if it throws.
   * {@link PermanentFailure} fails the job without another attempt; {@link RetryLater} does not
   * count as an attempt.
   *
   * <p>The thread is interrupted when the attempt times out, a grace period after the job was
   * cancelled, and before another worker can take over the lease.
   */
  O run(JobContext job, I input) throws Exception;

  /**
   * Called after {@link #run} returned and before the outcome of the job is stored. The call is
   * part of the attempt and uses the same instance and thread. It may be repeated if the worker is
   * lost in between. The call may take as long as the attempt, but at most 30 s; then its thread is
   * interrupted. An exception is logged and has no effect.
   */
  default void onSuccess(JobContext job, I input, O output) throws Exception {}

  /**
   * Called before the final failure of a job is stored. A failure is final if no attempts are left,
   * if the handler threw {@link PermanentFailure}, or if the {@link RetryPolicy} rules out another
   * attempt. This method is not called for a job that is cancelled or deleted, or that failed
   * because its worker was lost. Like {@link #onSuccess}, the call is part of the attempt and
   * limited in time.
   *
   * @param failure the exception that the last attempt threw
   */
  default void onFailure(JobContext job, I input, Throwable failure) throws Exception {}
}
