package io.leasehold.jobs;

import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Gives a handler access to the job that it runs. A context belongs to one attempt; all threads of
 * the attempt may use it.
 *
 * <p>After the lease is lost, writes are refused: the method throws {@link JobsException} with
 * {@link ErrorCode#LEASE_LOST}, and the thread is interrupted.
 */
public interface JobContext {

  /** Returns the id of the job. */
  JobId id();

  /** Returns the job type, as registered in this process. */
  JobType<?, ?> type();

  /**
   * Returns the caller on whose behalf the job runs: its tenant, and the principal and correlation
   * id of the submission.
   */
  SecurityContext caller();

  /** Returns the number of this attempt, 1 for the first. */
  int attempt();

  /**
   * Returns whether this attempt was started by an earlier worker that lost or gave up its lease.
   * Work that the earlier worker started may still be running. Only jobs of types with {@link
   * WhenLost#ADOPT} are adopted. An adopted attempt keeps its number ({@link #attempt}) and its
   * timeout.
   */
  boolean isAdopted();

  /** Returns the maximum number of attempts. */
  int maxAttempts();

  /**
   * Returns a number that increases with every later attempt of any job. An external system
   * compares fence tokens to refuse a worker that has been superseded. For in-memory jobs the order
   * holds within one process only, and means nothing between two processes.
   */
  long fenceToken();

  /**
   * Returns the {@link #fenceToken} under which the attempt started. All workers that adopt the
   * attempt see the same value. Each attempt has a different value, even after a manual retry,
   * which resets the attempt count.
   */
  long attemptToken();

  /**
   * Returns the metadata values that are texts, by name. Read the others with {@link
   * #metadata(String, Class)}.
   */
  Map<String, String> metadata();

  /**
   * Reads one metadata value of the job, as stored by {@link JobRequest#metadata(String, Object)}.
   *
   * @param name the name of the value
   * @param type the type to read the value as
   * @return empty if there is no such value, or the value is JSON null
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if the value cannot be read as
   *     that type; the message names the value and the type
   */
  <T> Optional<T> metadata(String name, Class<T> type);

  /**
   * Returns the time left until the attempt times out; empty if the attempt has no timeout, never
   * negative. For an adopted attempt, the timeout is measured from the original start.
   */
  Optional<Duration> remaining();

  /**
   * Runs a part of the work once in the lifetime of the job. The returned value is stored. When a
   * later attempt reaches the step with the same name, it receives the stored value instead.
   *
   * <p>Inside a transaction of the job's caller that runs on this thread, the step belongs to that
   * transaction: its writes and the completion of the step commit together. Otherwise the step is
   * stored separately after the body returns, and a crash in between repeats the step.
   *
   * @param name the name of the step, unique in the job, 1 to 200 characters
   * @param type the type to read the stored value as
   * @param body not called if the step is done; an exception it throws is propagated, and the step
   *     is not done
   * @throws IllegalArgumentException if the name is invalid
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if the value exceeds 1,048,576
   *     characters as JSON, or the job has more than 1,000 steps or 16,777,216 characters in them;
   *     with {@link ErrorCode#RESULT_UNREADABLE} if the stored value cannot be read as that type;
   *     with {@link ErrorCode#LEASE_LOST}
   */
  <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception;

  /**
   * Stores a checkpoint, which replaces the previous one. Inside a transaction of the job's caller
   * that runs on this thread, the checkpoint belongs to that transaction.
   *
   * @param value any value that can be written as JSON, up to 1,048,576 characters
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if it is longer; with {@link
   *     ErrorCode#LEASE_LOST}
   */
  void checkpoint(Object value);

  /**
   * Returns the value last passed to {@link #checkpoint}, by this attempt or an earlier one.
   *
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if it cannot be read as that
   *     type
   */
  <T> Optional<T> lastCheckpoint(Class<T> type);

  /**
   * Stores a file with the job, replacing an earlier file of the same name. It can be read through
   * {@link JobOutputs} until the job is deleted. Inside a transaction of the job's caller that runs
   * on this thread, the file exists if, and only if, the transaction commits. In-memory jobs cannot
   * store files.
   *
   * @param name up to 128 letters, digits and {@code _ . -}, the first a letter or digit
   * @param mediaType the media type, for example {@code text/csv}
   * @param writer writes the file; called once, before this method returns
   * @throws IllegalArgumentException if the name or the media type is invalid
   * @throws IllegalStateException if the job is an in-memory job
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if the file exceeds the size limit, or
   *     the job the limit on files; with {@link ErrorCode#OUTPUT_UNAVAILABLE} if this process has
   *     no output store; with {@link ErrorCode#LEASE_LOST}
   * @throws IOException if the file cannot be written; an earlier file of the same name is kept
   */
  JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException;

  /**
   * Opens a file that grows across attempts. The handler must close it.
   *
   * @param kept the value that an earlier attempt kept, or {@link OutputDraft.Kept#NOTHING}. If
   *     some of that content no longer exists, the draft is empty, as its length shows
   * @throws IllegalStateException if the job is an in-memory job
   * @throws JobsException with {@link ErrorCode#OUTPUT_UNAVAILABLE} if this process has no output
   *     store; with {@link ErrorCode#LEASE_LOST}
   */
  OutputDraft draft(OutputDraft.Kept kept) throws IOException;

  /**
   * Reports the progress of the job. The last report stays after the job has finished.
   *
   * @param percent 0 to 100
   * @param note at most 1,000 characters
   * @throws IllegalArgumentException if the percentage is not 0 to 100, or the note is too long
   */
  void progress(int percent, String note);

  /**
   * Adds an event to the job's history, see {@link JobService#events}. If a handler reports more
   * than a few events a second, several are stored together, a moment later. All events are stored
   * before the job ends.
   *
   * @param kind the kind of event: 1 to 64 small letters, digits and {@code _ . -}
   * @param body any value that can be written as JSON, up to 65,536 characters
   * @throws IllegalArgumentException if the kind is invalid, or reserved for the platform
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if the body is longer; with {@link
   *     ErrorCode#VALUE_REFUSED} if it cannot be written as JSON
   */
  void event(String kind, Object body);

  /** Returns whether the attempt must stop, for any reason. */
  boolean isCancelled();

  /**
   * Returns why the attempt must stop; empty while it may continue. The reason is set before the
   * thread is interrupted. If there are several reasons, the first one is returned, unless the
   * lease is lost.
   */
  Optional<StopReason> stopped();

  /**
   * Throws if the attempt must stop, for any reason, see {@link #isCancelled}.
   *
   * @throws java.util.concurrent.CancellationException if the attempt must stop
   */
  void throwIfCancelled();
}
