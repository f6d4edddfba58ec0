package io.leasehold.jobs;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The jobs of a caller's tenant: submits them, follows them, ends them.
 *
 * <p>Every method takes the caller, or a transaction opened for it, first. Another tenant's job and
 * one that never was are the same to all of them: not found. Within a transaction, what a method
 * does takes effect with its commit, or not at all. Safe to share between threads.
 *
 * <p>What the database cannot do is thrown as a {@link JobsException} with its code.
 */
public interface JobService {

  /**
   * The same service for restartable jobs alone: looks at none in the memory of this process, and
   * refuses to submit one.
   */
  JobService restartable();

  /**
   * Submits a job in a transaction of its own. What it throws is as in {@link
   * #submit(TenantTransaction, JobRequest)}; with {@link ErrorCode#OUTCOME_UNKNOWN} nobody knows
   * whether the job is stored, and a request with a key can be repeated.
   */
  Submission submit(SecurityContext caller, JobRequest<?, ?> request);

  /**
   * Submits a job that exists if, and only if, the transaction commits; workers hear of it then.
   *
   * @throws JobsException with {@link ErrorCode#VALUE_REFUSED} if the input or a value of the
   *     metadata cannot be written as JSON, or that value is nested deeper than 16; with {@link
   *     ErrorCode#TOO_LARGE} if the input is longer than 1,048,576 characters as JSON, or the
   *     metadata than 65,536; with {@link ErrorCode#INPUT_REFUSED} if a check of the type refuses
   *     it, and with {@link ErrorCode#DEPENDENCY_UNKNOWN} if the job should wait for one that is
   *     not there. Of jobs that would run in this process, in memory or in direct mode, also with
   *     {@link ErrorCode#MEMORY_FULL}, {@link ErrorCode#DIRECT_FULL}, {@link
   *     ErrorCode#QUEUE_PAUSED}, {@link ErrorCode#DEPENDENCY_UNMET}, {@link
   *     ErrorCode#HANDLER_UNKNOWN} and {@link ErrorCode#ENGINE_STOPPED}. Nothing is stored then
   */
  Submission submit(TenantTransaction tx, JobRequest<?, ?> request);

  /**
   * Submits any number of jobs in one transaction: all of them, or none.
   *
   * @param requests read a thousand at a time
   * @return what came of each, in their order
   */
  List<Submission> submitAll(SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests);

  /** Submits any number of jobs that exist if, and only if, the transaction commits. */
  List<Submission> submitAll(TenantTransaction tx, Iterator<? extends JobRequest<?, ?>> requests);

  /** Looks a job up, of any tenant that the caller may read. */
  Optional<Job> find(SecurityContext caller, JobId id);

  /** Tells why a job does not run, of any tenant that the caller may read. */
  Optional<Explanation> explain(SecurityContext caller, JobId id);

  /**
   * Lists the jobs for which a job waits, or waited, in the order of their ids.
   *
   * @param after behind which of them; nothing for the first page
   * @param limit at most so many, 1 to 1,000
   * @return nothing if the caller may read no such job
   * @throws IllegalArgumentException if the limit is not 1 to 1,000
   */
  Optional<DependencyPage> dependencies(
      SecurityContext caller, JobId id, Optional<JobId> after, int limit);

  /** Lists jobs of all tenants that the caller may read, the newest first. */
  JobPage list(SecurityContext caller, JobFilter filter);

  /**
   * Reads what a job's handler returned, or how else it ended.
   *
   * @param output what to read it as
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if it is something else
   */
  <O> JobResult<O> result(SecurityContext caller, JobId id, Class<O> output);

  /**
   * Reads one value of a job's metadata, as {@link JobRequest#metadata(String, Object)} kept it: of
   * any tenant that the caller may read, also after the job has ended.
   *
   * @param name of the value
   * @param type what to read it as
   * @return nothing if the caller may read no such job, or the job has no such value
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE}, which names the value and the
   *     type, if it is no such type
   */
  <T> Optional<T> metadata(SecurityContext caller, JobId id, String name, Class<T> type);

  /**
   * Reads a job's history, over all of its attempts, from a place in it on. Whoever goes on where
   * the page before ended misses nothing and sees nothing twice, also while the job runs, moves to
   * another worker, or is retried.
   *
   * @param after {@link EventCursor#BEGIN}, or where the page before ended
   * @param limit at most so many events, 1 to 1,000
   * @return nothing if the caller may read no such job
   * @throws IllegalArgumentException if the limit is not 1 to 1,000
   */
  Optional<EventPage> events(SecurityContext caller, JobId id, EventCursor after, int limit);

  /**
   * Reads how the tasks of a job fare, if it is one that tells: in the order of its plan, the last
   * word about each.
   *
   * @return at most 500; none of a job that tells of no tasks; nothing if the caller may read no
   *     such job
   */
  Optional<List<JobTask>> tasks(SecurityContext caller, JobId id);

  /**
   * Waits for a job's end, without a connection to the database in the meantime.
   *
   * @param most for so long
   * @return the job as it is then, over or not; nothing if the caller may read no such job
   * @throws JobsException with {@link ErrorCode#INTERRUPTED} if the thread was interrupted
   */
  Optional<Job> await(SecurityContext caller, JobId id, Duration most);

  /**
   * Asks for a job's end: a waiting one never runs, a running one is told, and interrupted after a
   * grace. Repeated, it asks again.
   */
  Cancellation cancel(SecurityContext caller, JobId id);

  /** Asks for a job's end, if the transaction commits. */
  Cancellation cancel(TenantTransaction tx, JobId id);

  /**
   * Queues a job anew that failed, timed out or was cancelled, its attempts counted from the start;
   * or at once one that waits for its next attempt or its time. Repeated, it does nothing more.
   *
   * @throws JobsException with {@link ErrorCode#MEMORY_FULL} or {@link ErrorCode#ENGINE_STOPPED} if
   *     it lives in memory, and this process takes no more of those
   */
  Retrial retry(SecurityContext caller, JobId id);

  /** Queues a job anew, if the transaction commits. */
  Retrial retry(TenantTransaction tx, JobId id);

  /** Removes a job that does not run, with all that belongs to it. Repeated, it finds nothing. */
  Deletion delete(SecurityContext caller, JobId id);

  /** Removes a job that does not run, if the transaction commits. */
  Deletion delete(TenantTransaction tx, JobId id);

  /**
   * Removes a job, also one that runs: that is told to stop as by {@link #cancel}, has failed with
   * the error {@code cancelled} when it has ended, and is removed soon after.
   */
  Deletion forceDelete(SecurityContext caller, JobId id);

  /** Removes a job, also one that runs, if the transaction commits. */
  Deletion forceDelete(TenantTransaction tx, JobId id);
}
