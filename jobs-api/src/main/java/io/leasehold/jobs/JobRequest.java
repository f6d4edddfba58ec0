package io.leasehold.jobs;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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
 * @param metadata what the submitter wants to be kept with it
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
    Map<String, String> metadata) {

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
    metadata = Map.copyOf(metadata);
    Bounds.requireMetadata(metadata);
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
   * Keeps a word with the job, which its handler can read; default none, at most 32.
   *
   * @param name 1 to 64 characters
   * @param value at most 1,000 characters
   */
  public JobRequest<I, O> metadata(String name, String value) {
    return but(
        its -> {
          its.metadata = new HashMap<>(metadata);
          its.metadata.put(name, value);
        });
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
    private Map<String, String> metadata;

    private Draft(JobRequest<I, O> its) {
      type = its.type;
      input = its.input;
      key = its.key;
      priority = its.priority;
      delay = its.delay;
      timeout = its.timeout;
      maxAttempts = its.maxAttempts;
      metadata = its.metadata;
    }

    private JobRequest<I, O> request() {
      return new JobRequest<>(type, input, key, priority, delay, timeout, maxAttempts, metadata);
    }
  }
}
