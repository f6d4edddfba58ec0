package io.leasehold.jobs;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

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

  /** For whom the job runs: its tenant, and the principal and correlation id that submitted it. */
  SecurityContext caller();

  /** Which attempt this is, 1 for the first. */
  int attempt();

  /** How many there are at most. */
  int maxAttempts();

  /**
   * A number that is greater in every later attempt of any job: what an outside system compares to
   * refuse a worker that was overtaken.
   */
  long fenceToken();

  /** What the request gave along. */
  Map<String, String> metadata();

  /** How much time the attempt has left, if it is limited; never negative. */
  Optional<Duration> remaining();

  /**
   * Tells how far the work is. The last word of a job stays.
   *
   * @param percent 0 to 100
   * @param note at most 1,000 characters
   */
  void progress(int percent, String note);

  /**
   * Tells something of the work, for the job's history.
   *
   * @param kind a word for what it is
   * @param body anything that can be written as JSON
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
