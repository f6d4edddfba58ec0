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
   * Works. To return is to succeed, to throw is to fail; {@link PermanentFailure} fails for good.
   *
   * <p>The thread is interrupted when the job takes longer than it may, some time after it was
   * cancelled, and before its lease can be taken over.
   */
  O run(JobContext job, I input) throws Exception;
}
