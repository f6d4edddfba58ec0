package io.leasehold.jobs;

import io.leasehold.jobs.history.DependencyPage;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.JobTask;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Submits, tracks and cancels the jobs of the caller's tenant.
 *
 * <p>Every method takes as its first parameter the caller, or a transaction opened for the caller.
 * No method distinguishes another tenant's job from a job that never existed: both are not found.
 * Inside a transaction, a method takes effect when the transaction commits, or not at all. Safe to
 * share between threads.
 *
 * <p>A database failure is thrown as a {@link JobsException} with its code.
 */
public interface JobService {

  /**
   * Returns a view of this service that handles restartable jobs only. The view ignores in-memory
   * jobs of this process, and refuses to submit one.
   */
  JobService restartable();

  /**
   * Submits a job in its own transaction. It throws the same exceptions as {@link
   * #submit(TenantTransaction, JobRequest)}. After {@link ErrorCode#OUTCOME_UNKNOWN} the job may or
   * may not be stored; a request with a key can safely be retried.
   */
  Submission submit(SecurityContext caller, JobRequest<?, ?> request);

  /**
   * Submits a job that exists if, and only if, the transaction commits. Workers are notified at the
   * commit. If this method throws, nothing is stored.
   *
   * @throws JobsException with {@link ErrorCode#VALUE_REFUSED} if the input or a metadata value
   *     cannot be written as JSON, or a metadata value is nested deeper than 16 levels; with {@link
   *     ErrorCode#TOO_LARGE} if the input exceeds 1,048,576 characters as JSON, or the metadata
   *     exceeds 65,536; with {@link ErrorCode#INPUT_REFUSED} if a check of the job type rejects the
   *     request; with {@link ErrorCode#DEPENDENCY_UNKNOWN} if the job depends on a job that does
   *     not exist. For in-memory and direct jobs, also with {@link ErrorCode#MEMORY_FULL}, {@link
   *     ErrorCode#DIRECT_FULL}, {@link ErrorCode#QUEUE_PAUSED}, {@link ErrorCode#DEPENDENCY_UNMET},
   *     {@link ErrorCode#HANDLER_UNKNOWN} and {@link ErrorCode#ENGINE_STOPPED}
   */
  Submission submit(TenantTransaction tx, JobRequest<?, ?> request);

  /**
   * Submits any number of jobs in one transaction: all of them, or none.
   *
   * @param requests read in batches of a thousand
   * @return the outcome of each request, in the order of the requests
   */
  List<Submission> submitAll(SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests);

  /** Submits any number of jobs, which exist if, and only if, the transaction commits. */
  List<Submission> submitAll(TenantTransaction tx, Iterator<? extends JobRequest<?, ?>> requests);

  /** Finds a job of any tenant that the caller may read. */
  Optional<Job> find(SecurityContext caller, JobId id);

  /**
   * Explains why a job is not running. The job may belong to any tenant that the caller may read.
   */
  Optional<Explanation> explain(SecurityContext caller, JobId id);

  /**
   * Lists the dependencies of a job, past and present, ordered by id.
   *
   * @param after the last id of the previous page; empty for the first page
   * @param limit the maximum page size, 1 to 1,000
   * @return empty if the job does not exist or the caller may not read it
   * @throws IllegalArgumentException if {@code limit} is not 1 to 1,000
   */
  Optional<DependencyPage> dependencies(
      SecurityContext caller, JobId id, Optional<JobId> after, int limit);

  /** Lists jobs of all tenants that the caller may read, newest first. */
  JobPage list(SecurityContext caller, JobFilter filter);

  /**
   * Reads the output of a job, or how else the job ended.
   *
   * @param output the type to read the output as
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if the output cannot be read as
   *     that type
   */
  <O> JobResult<O> result(SecurityContext caller, JobId id, Class<O> output);

  /**
   * Reads one metadata value of a job, as stored by {@link JobRequest#metadata(String, Object)}.
   * The job may belong to any tenant that the caller may read, and may have finished.
   *
   * @param name the name of the value
   * @param type the type to read the value as
   * @return empty if the job does not exist, the caller may not read it, or it has no such value
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if the value cannot be read as
   *     that type; the message names the value and the type
   */
  <T> Optional<T> metadata(SecurityContext caller, JobId id, String name, Class<T> type);

  /**
   * Reads a page of a job's history, across all attempts. A reader that continues from the end of
   * the previous page misses no event and sees none twice, even while the job runs, moves to
   * another worker, or is retried.
   *
   * @param after {@link EventCursor#BEGIN}, or the end of the previous page
   * @param limit the maximum number of events, 1 to 1,000
   * @return empty if the job does not exist or the caller may not read it
   * @throws IllegalArgumentException if {@code limit} is not 1 to 1,000
   */
  Optional<EventPage> events(SecurityContext caller, JobId id, EventCursor after, int limit);

  /**
   * Lists the tasks of a job with their latest reported state, in the order of the job's plan.
   *
   * @return at most 500 tasks; an empty list if the job reports no tasks; an empty {@code Optional}
   *     if the job does not exist or the caller may not read it
   */
  Optional<List<JobTask>> tasks(SecurityContext caller, JobId id);

  /**
   * Waits for a job to finish, without holding a database connection while waiting.
   *
   * @param most how long to wait
   * @return the job when the wait ends, finished or not; empty if the job does not exist or the
   *     caller may not read it
   * @throws JobsException with {@link ErrorCode#INTERRUPTED} if the thread was interrupted
   */
  Optional<Job> await(SecurityContext caller, JobId id, Duration most);

  /**
   * Cancels a job. A queued job never runs. The handler of a running job is notified, and
   * interrupted after a grace period. A repeated call sends the request again.
   */
  Cancellation cancel(SecurityContext caller, JobId id);

  /** Cancels a job if the transaction commits. */
  Cancellation cancel(TenantTransaction tx, JobId id);

  /**
   * Requeues a job that failed, timed out or was cancelled, and resets its attempt count. A job
   * that waits for its next attempt or for its delay is made available immediately. A repeated call
   * has no further effect.
   *
   * @throws JobsException with {@link ErrorCode#MEMORY_FULL} or {@link ErrorCode#ENGINE_STOPPED} if
   *     the job is an in-memory job and this process accepts no more of them
   */
  RetryOutcome retry(SecurityContext caller, JobId id);

  /** Requeues a job if the transaction commits. */
  RetryOutcome retry(TenantTransaction tx, JobId id);

  /**
   * Deletes a job that is not running, with everything that belongs to it. A repeated call finds no
   * job.
   */
  Deletion delete(SecurityContext caller, JobId id);

  /** Deletes a job that is not running, if the transaction commits. */
  Deletion delete(TenantTransaction tx, JobId id);

  /**
   * Deletes a job even if it is running. A running job is told to stop, as by {@link #cancel}. When
   * it stops, it fails with the error {@code cancelled} and is deleted soon afterwards.
   */
  Deletion forceDelete(SecurityContext caller, JobId id);

  /** Deletes a job even if it is running, if the transaction commits. */
  Deletion forceDelete(TenantTransaction tx, JobId id);
}
