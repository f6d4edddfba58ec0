package io.leasehold.jobs;

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
 * Asks for one job. It names no tenant: the job is the caller's. Immutable; each method returns a
 * changed copy.
 *
 * @param type the kind of job
 * @param input what the handler is given
 * @param key names the job once and for all, see {@link #key(String)}
 * @param priority among the tenant's jobs, the greater first
 * @param delay how long it waits before it may run
 * @param timeout how long an attempt may take
 * @param maxAttempts how often it is attempted
 * @param metadataValues what is kept with the job, by name: texts, and values that the engine
 *     writes as JSON
 * @param after the jobs that have to succeed before it runs
 * @param reuseWithin how long ago the job may have been made that is answered instead of a new one,
 *     if there is one of the same key
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

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
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
   * Makes the request idempotent: unique for the tenant and the handler as long as the job is kept.
   * Submitted again, whatever the first job's state, it changes nothing and answers the first job's
   * id.
   *
   * @param key 1 to 255 characters
   */
  public JobRequest<I, O> key(String key) {
    return but(its -> its.key = Optional.of(key));
  }

  /** Among the tenant's jobs: -1,000 to 1,000, the greater first; default the type's. */
  public JobRequest<I, O> priority(int priority) {
    return but(its -> its.priority = priority);
  }

  /**
   * How long the job waits before it may run, counted by the database from the submission; default
   * not at all, at most ten years.
   */
  public JobRequest<I, O> delay(Duration delay) {
    return but(its -> its.delay = delay);
  }

  /** How long an attempt may take; default the type's, and never longer than that. */
  public JobRequest<I, O> timeout(Duration timeout) {
    return but(its -> its.timeout = Optional.of(timeout));
  }

  /** How often the job is attempted; default as often as its type, and never more often. */
  public JobRequest<I, O> maxAttempts(int maxAttempts) {
    return but(its -> its.maxAttempts = maxAttempts);
  }

  /**
   * Keeps a text with the job, under a name. The handler and interceptors read it with {@link
   * JobContext#metadata()}.
   *
   * @param name see {@link #metadata(String, Object)}
   */
  public JobRequest<I, O> metadata(String name, String value) {
    return metadata(name, (Object) value);
  }

  /**
   * Keeps a value with the job, under a name; it replaces the value that had the name. The handler
   * and interceptors read it with {@link JobContext#metadata(String, Class)}.
   *
   * <p>A job has up to 64 values. As one JSON object they have up to 65,536 characters and are
   * nested up to 16 deep, the object itself included. A submission beyond that is refused, see
   * {@link JobService#submit(TenantTransaction, JobRequest)}.
   *
   * @param name 1 to 64 characters
   * @param value a text, or anything that the engine can write as JSON; it is written at the
   *     submission
   * @throws IllegalArgumentException if the name is empty or longer, or there are more values
   */
  public JobRequest<I, O> metadata(String name, Object value) {
    return but(
        draft -> {
          draft.metadataValues = new HashMap<>(metadataValues);
          draft.metadataValues.put(name, value);
        });
  }

  /** The metadata that are texts. All of them are {@link #metadataValues()}. */
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

  /** Lets the job run only when others have succeeded, see {@link #after(Collection)}. */
  public JobRequest<I, O> after(JobId... jobs) {
    return after(List.of(jobs));
  }

  /**
   * Lets the job run only when others have succeeded, besides those that were named before; default
   * none, at most 10,000. They are stored jobs of the caller's own tenant, finished or not. Until
   * then the job is queued and never claimed; if one of them ends otherwise, or is removed before
   * it succeeded, the job fails at once, never run, with an error that names it. A delay is counted
   * from the submission, and passes meanwhile.
   *
   * <p>What is submitted is refused with {@link ErrorCode#DEPENDENCY_UNKNOWN} if one of them is not
   * there. Since only jobs that there are can be named, no circle can come about.
   *
   * @throws IllegalArgumentException if there are more, or if the type's jobs live in memory
   */
  public JobRequest<I, O> after(Collection<JobId> jobs) {
    return but(its -> its.after = Stream.concat(after.stream(), jobs.stream()).toList());
  }

  /** Is content with a job that there is, however old, see {@link #reuse(Duration)}. */
  public JobRequest<I, O> reuse() {
    return reuse(Bounds.REUSE_MAX);
  }

  /**
   * Is content with a job of the same {@link #key(String)} that is unfinished or has succeeded, and
   * was submitted so long ago at most, by the database's clock: its id is answered, and nothing is
   * stored. A job that ended otherwise, or is older, loses its key to the new one. Of several who
   * ask at the same moment one stores the job, and all are given its id.
   *
   * <p>Default: a key stands for its job whatever became of that.
   *
   * @param notOlderThan up to ten years
   * @throws IllegalArgumentException if it is longer, or if the type's jobs live in memory; at the
   *     submission, if the request has no key
   */
  public JobRequest<I, O> reuse(Duration notOlderThan) {
    return but(its -> its.reuseWithin = Optional.of(notOlderThan));
  }

  /**
   * Has a record of the caller's own tenant mirror the job: the platform writes the job's status
   * and times into the columns that the table's module declared, in each transaction that changes
   * the job. The record is there before the submission, or was inserted earlier in the same
   * transaction. Several records may mirror one job, as with a {@link #key(String)} that has a job
   * already; a record mirrors one job, and another one once that has ended. Default none; named
   * again, the last counts.
   *
   * <p>What is submitted is refused with {@link ErrorCode#MIRROR_UNKNOWN} if the table or the
   * record is not there, and with {@link ErrorCode#MIRROR_BUSY} if the record mirrors another job
   * that has not ended; nothing is stored then.
   *
   * @param table declared by {@code leasehold.mirror} in a migration
   * @param record the id of the record
   * @throws IllegalArgumentException if the type's jobs live in memory
   */
  public JobRequest<I, O> mirroredBy(MirrorTable table, UUID record) {
    return but(its -> its.mirror = Optional.of(new Mirror(table, record)));
  }

  private JobRequest<I, O> but(Consumer<Draft<I, O>> change) {
    var draft = new Draft<>(this);
    change.accept(draft);
    return draft.request();
  }

  /** A request that is being changed. */
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

    private Draft(JobRequest<I, O> its) {
      type = its.type;
      input = its.input;
      key = its.key;
      priority = its.priority;
      delay = its.delay;
      timeout = its.timeout;
      maxAttempts = its.maxAttempts;
      metadataValues = its.metadataValues;
      after = its.after;
      reuseWithin = its.reuseWithin;
      mirror = its.mirror;
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
