package io.leasehold.jobs;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Asks for one job. It names no tenant: the job is the caller's. Immutable; each method returns a
 * changed copy.
 *
 * @param type the kind of job
 * @param input what the handler is given
 * @param key names the job once and for all, see {@link #key(String)}
 * @param priority among the tenant's jobs, the greater first
 * @param delay how long it waits before it may run
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
    metadata = Map.copyOf(metadata);
  }

  /**
   * Makes the request idempotent: unique for the tenant and the handler as long as the job is kept.
   * Submitted again, whatever the first job's state, it changes nothing and answers the first job's
   * id.
   *
   * @param key 1 to 255 characters
   */
  public JobRequest<I, O> key(String key) {
    return new JobRequest<>(type, input, Optional.of(key), priority, delay, metadata);
  }

  /** Among the tenant's jobs: -1,000 to 1,000, the greater first; default the type's. */
  public JobRequest<I, O> priority(int priority) {
    return new JobRequest<>(type, input, key, priority, delay, metadata);
  }

  /**
   * How long the job waits before it may run, counted by the database from the submission; default
   * not at all, at most ten years.
   */
  public JobRequest<I, O> delay(Duration delay) {
    return new JobRequest<>(type, input, key, priority, delay, metadata);
  }

  /** Keeps a word with the job, which its handler can read; default none. */
  public JobRequest<I, O> metadata(String name, String value) {
    var more = new HashMap<>(metadata);
    more.put(name, value);
    return new JobRequest<>(type, input, key, priority, delay, more);
  }
}
