package io.leasehold.jobs;

import io.leasehold.jobs.spi.Mirror;
import io.leasehold.jobs.spi.MirrorTable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Describes one job to submit. A request names no tenant: the job belongs to the caller's.
 * Immutable; each method returns a modified copy.
 *
 * @param type the job type
 * @param input the input that the handler receives
 * @param key the idempotency key of the job, see {@link #key(String)}
 * @param priority the priority among the tenant's jobs; higher runs first
 * @param delay how long the job waits before it may run
 * @param timeout the maximum duration of one attempt
 * @param maxAttempts the maximum number of attempts
 * @param metadataValues the metadata of the job, by name: texts, and values that the engine writes
 *     as JSON
 * @param after the jobs that must succeed before this job runs
 * @param reuseWithin the maximum age of an existing job with the same key that is returned instead
 *     of storing a new one
 * @param mirror the module's own record that mirrors the job
 * @param <I> the input
 * @param <O> the output
 */
public record JobRequest<I, O>(
    JobType<I, O> type,
    I input,
    Optional<String> key,
    int priority,
    Duration delay,
    Optional<Duration> timeout,
    int maxAttempts,
    Map<String, Object> metadataValues,
    List<JobId> after,
    Optional<Duration> reuseWithin,
    Optional<Mirror> mirror) {

  /** The maximum number of metadata values. */
  public static final int METADATA_MAX = 64;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public JobRequest {
    key.ifPresent(Bounds::requireKey);
    Bounds.requirePriority(priority);
    Bounds.requireDelay(delay);
    Bounds.requireWithin(type, timeout, maxAttempts);
    metadataValues = Map.copyOf(metadataValues);
    Bounds.requireMetadata(metadataValues);
    after = after.stream().distinct().toList();
    Bounds.requireAfter(type, after);
    reuseWithin.ifPresent(notOlderThan -> Bounds.requireReuse(type, notOlderThan));
    mirror.ifPresent(_ -> Bounds.requireMirrorable(type));
  }

  /**
   * Makes the request idempotent. The key is unique per tenant and handler for as long as the job
   * is kept. Submitting the same key again changes nothing and returns the id of the first job,
   * whatever its status.
   *
   * @param key 1 to 255 characters
   */
  public JobRequest<I, O> key(String key) {
    return but(draft -> draft.key = Optional.of(key));
  }

  /**
   * Sets the priority among the tenant's jobs: -1,000 to 1,000, higher runs first. Defaults to the
   * priority of the type.
   */
  public JobRequest<I, O> priority(int priority) {
    return but(draft -> draft.priority = priority);
  }

  /**
   * Sets how long the job waits before it may run. The database measures the delay from the
   * submission. Default: no delay; at most ten years.
   */
  public JobRequest<I, O> delay(Duration delay) {
    return but(draft -> draft.delay = delay);
  }

  /**
   * Sets the maximum duration of one attempt. Defaults to the timeout of the type, and must not
   * exceed it.
   */
  public JobRequest<I, O> timeout(Duration timeout) {
    return but(draft -> draft.timeout = Optional.of(timeout));
  }

  /**
   * Sets the maximum number of attempts. Defaults to the limit of the type, and must not exceed it.
   */
  public JobRequest<I, O> maxAttempts(int maxAttempts) {
    return but(draft -> draft.maxAttempts = maxAttempts);
  }

  /**
   * Stores a text with the job, under a name. Handlers and interceptors read it with {@link
   * JobContext#metadata()}.
   *
   * @param name see {@link #metadata(String, Object)}
   */
  public JobRequest<I, O> metadata(String name, String value) {
    return metadata(name, (Object) value);
  }

  /**
   * Stores a value with the job, under a name. A value that already has this name is replaced.
   * Handlers and interceptors read it with {@link JobContext#metadata(String, Class)}.
   *
   * <p>A job has up to 64 values. Written as one JSON object, they may have up to 65,536 characters
   * and be nested up to 16 levels deep, including the object itself. A larger submission is
   * refused, see {@link JobService#submit(TenantTransaction, JobRequest)}.
   *
   * @param name 1 to 64 characters
   * @param value a text, or any value that the engine can write as JSON; it is written at
   *     submission
   * @throws IllegalArgumentException if the name is empty or too long, or there are too many values
   */
  public JobRequest<I, O> metadata(String name, Object value) {
    return but(
        draft -> {
          draft.metadataValues = new HashMap<>(metadataValues);
          draft.metadataValues.put(name, value);
        });
  }

  /** Returns the metadata values that are texts. {@link #metadataValues()} returns all values. */
  public Map<String, String> metadata() {
    Map<String, String> texts = new HashMap<>();
    metadataValues.forEach(
        (name, value) -> {
          if (value instanceof String text) {
            texts.put(name, text);
          }
        });
    return Map.copyOf(texts);
  }

  /** Makes the job wait until other jobs have succeeded, see {@link #after(Collection)}. */
  public JobRequest<I, O> after(JobId... jobs) {
    return after(List.of(jobs));
  }

  /**
   * Makes the job wait until other jobs have succeeded, in addition to those already named.
   * Default: none; at most 10,000. Dependencies are stored jobs of the caller's own tenant,
   * finished or not. Until all of them have succeeded, this job stays queued and is never claimed.
   * If a dependency ends in any other way, or is deleted before it succeeds, this job fails at once
   * without running; the error names the dependency. A delay is measured from the submission and
   * elapses during the wait.
   *
   * <p>The submission is refused with {@link ErrorCode#DEPENDENCY_UNKNOWN} if a dependency does not
   * exist. Only existing jobs can be named, so dependency cycles are impossible.
   *
   * @throws IllegalArgumentException if there are too many, or if the type is in-memory
   */
  public JobRequest<I, O> after(Collection<JobId> jobs) {
    return but(draft -> draft.after = Stream.concat(after.stream(), jobs.stream()).toList());
  }

  /** Reuses an existing job with the same key, whatever its age, see {@link #reuse(Duration)}. */
  public JobRequest<I, O> reuse() {
    return reuse(Bounds.REUSE_MAX);
  }

  /**
   * Reuses an existing job with the same {@link #key(String)} instead of storing a new one. The
   * existing job must be unfinished or have succeeded, and must have been submitted within {@code
   * notOlderThan}, by the database's clock. The submission then returns the id of that job and
   * stores nothing. A job that ended in any other way, or is older, loses its key to the new job.
   * If several callers submit the same key at the same moment, one stores the job and all receive
   * its id.
   *
   * <p>Default: no reuse; a key keeps naming its job whatever the outcome of that job.
   *
   * @param notOlderThan up to ten years
   * @throws IllegalArgumentException if it is longer, or if the type is in-memory; at submission,
   *     if the request has no key
   */
  public JobRequest<I, O> reuse(Duration notOlderThan) {
    return but(draft -> draft.reuseWithin = Optional.of(notOlderThan));
  }

  /**
   * Makes a record of the caller's own tenant mirror the job. In each transaction that changes the
   * job, the platform writes the job's status and times into the columns that the table's module
   * declared. The record exists before the submission, or is inserted earlier in the same
   * transaction.
   *
   * <p>Several records may mirror one job, for example when a {@link #key(String)} names an
   * existing job. A record mirrors one job at a time; after that job has ended, it can mirror
   * another. Default: none; the last call wins.
   *
   * <p>The submission is refused with {@link ErrorCode#MIRROR_UNKNOWN} if the table or the record
   * does not exist, and with {@link ErrorCode#MIRROR_BUSY} if the record mirrors another job that
   * has not ended. Nothing is stored then.
   *
   * @param table a table declared by {@code leasehold.mirror} in a migration
   * @param record the id of the record
   * @throws IllegalArgumentException if the type is in-memory
   */
  public JobRequest<I, O> mirroredBy(MirrorTable table, UUID record) {
    return but(draft -> draft.mirror = Optional.of(new Mirror(table, record)));
  }

  private JobRequest<I, O> but(Consumer<Draft<I, O>> change) {
    var draft = new Draft<>(this);
    change.accept(draft);
    return draft.request();
  }

  /** A request under construction. */
  private static final class Draft<I, O> {

    private final JobType<I, O> type;
    private final I input;
    private Optional<String> key;
    private int priority;
    private Duration delay;
    private Optional<Duration> timeout;
    private int maxAttempts;
    private Map<String, Object> metadataValues;
    private List<JobId> after;
    private Optional<Duration> reuseWithin;
    private Optional<Mirror> mirror;

    private Draft(JobRequest<I, O> request) {
      type = request.type;
      input = request.input;
      key = request.key;
      priority = request.priority;
      delay = request.delay;
      timeout = request.timeout;
      maxAttempts = request.maxAttempts;
      metadataValues = request.metadataValues;
      after = request.after;
      reuseWithin = request.reuseWithin;
      mirror = request.mirror;
    }

    private JobRequest<I, O> request() {
      return new JobRequest<>(
          type,
          input,
          key,
          priority,
          delay,
          timeout,
          maxAttempts,
          metadataValues,
          after,
          reuseWithin,
          mirror);
    }
  }
}
