package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.time.Duration;
import java.util.Optional;

/**
 * What a task knows of its job, and can say of it: what {@link io.leasehold.jobs.JobContext} has,
 * but for what the plan itself keeps and tells. It belongs to the attempt.
 *
 * @param <S> what it works on
 */
public interface TaskContext<S> {

  /** The job's id. */
  JobId job();

  /** For whom the job runs. */
  SecurityContext caller();

  /** Which attempt of the job this is, 1 for the first. */
  int attempt();

  /** As {@link io.leasehold.jobs.JobContext#fenceToken}. */
  long fenceToken();

  /** How much time the attempt has left, if it is limited. */
  Optional<Duration> remaining();

  /**
   * What the task works on, with all that the tasks before it did there.
   *
   * @throws IllegalStateException if the task is {@link Task#outside}
   */
  S state() throws Exception;

  /**
   * What an earlier task gave, in this attempt or one before.
   *
   * @throws IllegalArgumentException if there is no such task before this one, or it gives
   *     something else
   */
  <T> T output(String task, Class<T> type);

  /**
   * Tells something of the work, for the job's history, as {@link
   * io.leasehold.jobs.JobContext#event}.
   *
   * @param kind a word of the task's own
   * @throws JobsException as there
   */
  void event(String kind, Object body);

  /** Whether the job's end was asked for, or the lease is lost. */
  boolean isCancelled();

  /**
   * Ends the attempt if the job's end was asked for.
   *
   * @throws java.util.concurrent.CancellationException if it was
   */
  void throwIfCancelled();
}
