package io.leasehold.jobs;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of job: its handler's name, what it takes and gives, and how it is treated unless a
 * request says otherwise. Immutable; each method returns a changed copy.
 *
 * @param handler names the handler; a handler is registered once for it in every worker
 * @param input what a job takes, written and read as JSON
 * @param output what a job gives, written and read as JSON
 * @param queue where its jobs wait; default {@code default}
 * @param priority of its jobs among those of the same tenant, the greater first; default 0
 * @param timeout how long an attempt may take; default unlimited
 * @param retry how often it is attempted and how long it waits in between; default once
 * @param whenLost what becomes of a job whose worker is lost; default {@link WhenLost#REQUEUE}
 * @param <I> the input
 * @param <O> the output
 */
public record JobType<I, O>(
    HandlerId handler,
    Class<I> input,
    Class<O> output,
    String queue,
    int priority,
    Optional<Duration> timeout,
    RetryPolicy retry,
    WhenLost whenLost) {

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
   */
  public JobType {
    Bounds.requireQueue(queue);
    Bounds.requirePriority(priority);
    timeout.ifPresent(Bounds::requireTimeout);
    Bounds.requireAttempts(retry.maxAttempts());
  }

  /**
   * A job that is stored with its input and survives restarts.
   *
   * @throws IllegalArgumentException if the handler's name is not an identifier, see {@link
   *     HandlerId}
   */
  public static <I, O> JobType<I, O> restartable(String handler, Class<I> input, Class<O> output) {
    return new JobType<>(
        new HandlerId(handler),
        input,
        output,
        "default",
        0,
        Optional.empty(),
        RetryPolicy.none(),
        WhenLost.REQUEUE);
  }

  /** Where its jobs wait: up to 64 small letters, digits and {@code _ . -}. */
  public JobType<I, O> queue(String queue) {
    return new JobType<>(handler, input, output, queue, priority, timeout, retry, whenLost);
  }

  /** Of its jobs among those of the same tenant: -1,000 to 1,000, the greater first. */
  public JobType<I, O> priority(int priority) {
    return new JobType<>(handler, input, output, queue, priority, timeout, retry, whenLost);
  }

  /** How long an attempt may take: 1 ms to 30 days. */
  public JobType<I, O> timeout(Duration timeout) {
    return new JobType<>(
        handler, input, output, queue, priority, Optional.of(timeout), retry, whenLost);
  }

  /** How often it is attempted and how long it waits in between. */
  public JobType<I, O> retry(RetryPolicy retry) {
    return new JobType<>(handler, input, output, queue, priority, timeout, retry, whenLost);
  }

  /** What becomes of a job whose worker is lost. */
  public JobType<I, O> whenLost(WhenLost whenLost) {
    return new JobType<>(handler, input, output, queue, priority, timeout, retry, whenLost);
  }

  /** Asks for a job of this kind. */
  public JobRequest<I, O> request(I input) {
    return new JobRequest<>(this, input, Optional.empty(), priority, Duration.ZERO, Map.of());
  }
}
