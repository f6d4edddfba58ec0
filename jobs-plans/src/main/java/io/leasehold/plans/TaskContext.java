package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.time.Duration;
import java.util.Optional;

/**
 * What a task can learn and report about its job: {@link io.leasehold.jobs.JobContext} without the
 * parts that the plan itself stores and reports. It belongs to the attempt.
 *
 * @param <S> the state that the task works on
 */
public interface TaskContext<S> {

  /** The job's id. */
  JobId job();

  /** The caller on whose behalf the job runs. */
  SecurityContext caller();

  /** The number of this attempt of the job, 1 for the first. */
  int attempt();

  /** As {@link io.leasehold.jobs.JobContext#fenceToken}. */
  long fenceToken();

  /** The time the attempt has left, if it has a limit. */
  Optional<Duration> remaining();

  /**
   * Returns the state, including everything that earlier tasks did to it.
   *
   * @throws IllegalStateException if the task is {@link Task#outside}
   */
  S state() throws Exception;

  /**
   * Returns the output of an earlier task, from this attempt or one before.
   *
   * @throws IllegalArgumentException if no such task comes before this one, or its output has
   *     another type
   */
  <T> T output(String task, Class<T> type);

  /**
   * Adds an event about the task to the job's history, as {@link
   * io.leasehold.jobs.JobContext#event}.
   *
   * @param kind a word of the task's own
   * @throws JobsException as documented there
   */
  void event(String kind, Object body);

  /** Whether cancellation was requested, or the lease is lost. */
  boolean isCancelled();

  /**
   * Ends the attempt if cancellation was requested.
   *
   * @throws java.util.concurrent.CancellationException if it was
   */
  void throwIfCancelled();
}
