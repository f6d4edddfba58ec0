package io.leasehold.jobs;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What a handler knows of the job that it runs, and can say of it. It belongs to the attempt, and
 * may be used by any of its threads.
 *
 * <p>What it says is refused once the lease is lost: then a method throws {@link JobsException}
 * with {@link ErrorCode#LEASE_LOST}, and the thread is interrupted.
 */
public interface JobContext {

  /** The job's id. */
  JobId id();

  /** The kind of job, as it is registered here. */
  JobType<?, ?> type();

  /** For whom the job runs: its tenant, and the principal and correlation id that submitted it. */
  SecurityContext caller();

  /** Which attempt this is, 1 for the first. */
  int attempt();

  /**
   * Whether an earlier worker began this attempt, and lost or gave up its lease: then what that one
   * started may still run. Only jobs of types with {@link WhenLost#ADOPT} are adopted; {@link
   * #attempt} and the time limit are those of the attempt that goes on.
   */
  boolean isAdopted();

  /** How many there are at most. */
  int maxAttempts();

  /**
   * A number that is greater in every later attempt of any job: what an outside system compares to
   * refuse a worker that was overtaken. Of jobs in memory it is so within their process, and says
   * nothing between two.
   */
  long fenceToken();

  /**
   * The {@link #fenceToken} under which the attempt began: the same for all workers that adopt it,
   * and another one in each attempt, also after a retry by hand, which counts attempts anew.
   */
  long attemptToken();

  /**
   * The metadata that are texts, by name. The others are read with {@link #metadata(String,
   * Class)}.
   */
  Map<String, String> metadata();

  /**
   * Reads one value of the job's metadata, as {@link JobRequest#metadata(String, Object)} kept it.
   *
   * @param name of the value
   * @param type what to read it as
   * @return nothing if there is no such value, or it is null as JSON
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE}, which names the value and the
   *     type, if it is no such type
   */
  <T> Optional<T> metadata(String name, Class<T> type);

  /**
   * How much time the attempt has left, if it is limited; never negative. Of an adopted attempt,
   * counted from its own beginning.
   */
  Optional<Duration> remaining();

  /**
   * Does a part of the work once in the job's life: what it returned is stored, and given back
   * instead when a later attempt comes to the step of this name.
   *
   * <p>Within a transaction of the job's caller that runs on this thread, the step belongs to it:
   * what was written there and that the step is done commit together. Else the step is stored by
   * itself after the body returned, and a crash in between repeats it.
   *
   * @param name of the step, unique in the job, 1 to 200 characters
   * @param type what to read the stored value as
   * @param body is not called if the step is done; what it throws is thrown, and the step is not
   *     done
   * @throws IllegalArgumentException if the name is another
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if the value has more than 1,048,576
   *     characters as JSON, or the job more than 1,000 steps or 16,777,216 characters in them; with
   *     {@link ErrorCode#RESULT_UNREADABLE} if the stored value is no such type; with {@link
   *     ErrorCode#LEASE_LOST}
   */
  <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception;

  /**
   * Keeps a value in the place of the one kept before. Within a transaction of the job's caller
   * that runs on this thread, it belongs to that.
   *
   * @param value anything that can be written as JSON, of at most 1,048,576 characters
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if it is longer; with {@link
   *     ErrorCode#LEASE_LOST}
   */
  void checkpoint(Object value);

  /**
   * What this attempt, or an earlier one, gave to {@link #checkpoint} last.
   *
   * @throws JobsException with {@link ErrorCode#RESULT_UNREADABLE} if it is no such type
   */
  <T> Optional<T> lastCheckpoint(Class<T> type);

  /**
   * Leaves a file with the job, in the place of the one that had the name before. It can be read
   * through {@link JobOutputs} until the job is removed. Within a transaction of the job's caller
   * that runs on this thread, it is there if, and only if, that commits. Jobs in memory leave none.
   *
   * @param name up to 128 letters, digits and {@code _ . -}, the first a letter or digit
   * @param mediaType what it is, as in {@code text/csv}
   * @param writer writes it, once, before this returns
   * @throws IllegalArgumentException if it cannot be called so
   * @throws IllegalStateException if the job lives in memory
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if it has more bytes, or the job more
   *     files, than it may; with {@link ErrorCode#OUTPUT_UNAVAILABLE} if this process has no place
   *     for it; with {@link ErrorCode#LEASE_LOST}
   * @throws IOException if it cannot be written; then the file of before stays
   */
  JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException;

  /**
   * Goes on with a file that grows over attempts, to be closed by the handler.
   *
   * @param kept what an earlier attempt told of, or {@link OutputDraft.Kept#NOTHING}. If it is not
   *     all there any more, the draft is empty, and its length tells
   * @throws IllegalStateException if the job lives in memory
   * @throws JobsException with {@link ErrorCode#OUTPUT_UNAVAILABLE} if this process has no place
   *     for it; with {@link ErrorCode#LEASE_LOST}
   */
  OutputDraft draft(OutputDraft.Kept kept) throws IOException;

  /**
   * Tells how far the work is. The last word of a job stays.
   *
   * @param percent 0 to 100
   * @param note at most 1,000 characters
   * @throws IllegalArgumentException if the percentage is not 0 to 100, or the note is longer
   */
  void progress(int percent, String note);

  /**
   * Tells something of the work, for the job's history, see {@link JobService#events}. Told more
   * often than a few times a second, several are stored at once, a moment later; all of them before
   * the job's end.
   *
   * @param kind a word for what it is: 1 to 64 small letters, digits and {@code _ . -}
   * @param body anything that can be written as JSON, of at most 65,536 characters
   * @throws IllegalArgumentException if the kind is another, or one of the platform's own
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if the body is longer; with {@link
   *     ErrorCode#VALUE_REFUSED} if it cannot be written as JSON
   */
  void event(String kind, Object body);

  /** Whether the attempt has to stop, for whatever reason. */
  boolean isCancelled();

  /**
   * Why the attempt has to stop; nothing while it may go on. Known before the thread is
   * interrupted, and by the time it is. Of several reasons the first, unless the lease is lost.
   */
  Optional<Stop> stopped();

  /**
   * Ends the attempt if it has to stop, for whatever reason, see {@link #isCancelled}.
   *
   * @throws java.util.concurrent.CancellationException if it has
   */
  void throwIfCancelled();
}
