package io.leasehold.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A kind of job: its handler's name, what it takes and gives, and how it is treated unless a
 * request says otherwise. Immutable; each method returns a changed copy.
 *
 * @param handler names the handler; a handler is registered once for it in every worker
 * @param input what a job takes; of a restartable one, written and read as JSON
 * @param output what a job gives; of a restartable one, written and read as JSON
 * @param kind where its jobs live
 * @param queue where its jobs wait; default {@code default}
 * @param priority of its jobs among those of the same tenant, the greater first; default 0
 * @param timeout how long an attempt may take; default unlimited
 * @param retry how often it is attempted and how long it waits in between; default once
 * @param whenLost what becomes of a job whose worker is lost; default {@link WhenLost#REQUEUE}
 * @param check what its inputs have to be; default anything
 * @param requestChecks what its requests have to be, each of them; default anything
 * @param capacity how many of its jobs one process takes in memory at most; default 1,000
 * @param <I> the input
 * @param <O> the output
 */
public record JobType<I, O>(
    HandlerId handler,
    Class<I> input,
    Class<O> output,
    JobKind kind,
    String queue,
    int priority,
    Optional<Duration> timeout,
    RetryPolicy retry,
    WhenLost whenLost,
    InputCheck<? super I> check,
    List<RequestCheck> requestChecks,
    int capacity) {

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
    Bounds.requireCapacity(capacity);
    requestChecks = List.copyOf(requestChecks);
  }

  /**
   * A job that is stored with its input and survives restarts.
   *
   * @throws IllegalArgumentException if the handler's name is not an identifier, see {@link
   *     HandlerId}
   */
  public static <I, O> JobType<I, O> restartable(String handler, Class<I> input, Class<O> output) {
    return new Draft<>(new HandlerId(handler), input, output, JobKind.RESTARTABLE).type();
  }

  /**
   * A job of any object, which lives in the process that takes it and is lost with it. As many as
   * its {@link #capacity(int)} are taken; then submissions are refused with {@link
   * ErrorCode#MEMORY_FULL}.
   *
   * @throws IllegalArgumentException if the handler's name is not an identifier, see {@link
   *     HandlerId}
   */
  public static <I, O> JobType<I, O> inMemory(String handler, Class<I> input, Class<O> output) {
    return new Draft<>(new HandlerId(handler), input, output, JobKind.IN_MEMORY).type();
  }

  /** Where its jobs wait: up to 64 small letters, digits and {@code _ . -}. */
  public JobType<I, O> queue(String queue) {
    return but(its -> its.queue = queue);
  }

  /** Of its jobs among those of the same tenant: -1,000 to 1,000, the greater first. */
  public JobType<I, O> priority(int priority) {
    return but(its -> its.priority = priority);
  }

  /** How long an attempt may take: 1 ms to 30 days. */
  public JobType<I, O> timeout(Duration timeout) {
    return but(its -> its.timeout = Optional.of(timeout));
  }

  /** How often it is attempted and how long it waits in between. */
  public JobType<I, O> retry(RetryPolicy retry) {
    return but(its -> its.retry = retry);
  }

  /** What becomes of a job whose worker is lost. Jobs in memory are lost with it. */
  public JobType<I, O> whenLost(WhenLost whenLost) {
    return but(its -> its.whenLost = whenLost);
  }

  /** Looks at inputs before anything is stored. */
  public JobType<I, O> check(InputCheck<? super I> check) {
    return but(its -> its.check = check);
  }

  /** Adds a check of whole requests to those that the type has: all of them have to pass. */
  public JobType<I, O> checkRequest(RequestCheck check) {
    return but(its -> its.requestChecks.add(check));
  }

  /**
   * How many of its jobs one process takes in memory, waiting and running: 1 to 1,000,000.
   * Restartable jobs are not counted.
   */
  public JobType<I, O> capacity(int capacity) {
    return but(its -> its.capacity = capacity);
  }

  /** Asks for a job of this kind. */
  public JobRequest<I, O> request(I input) {
    return new JobRequest<>(
        this,
        input,
        Optional.empty(),
        priority,
        Duration.ZERO,
        timeout,
        retry.maxAttempts(),
        Map.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private JobType<I, O> but(Consumer<Draft<I, O>> change) {
    var draft = new Draft<>(this);
    change.accept(draft);
    return draft.type();
  }

  /** A type that is being made. */
  private static final class Draft<I, O> {

    private final HandlerId handler;
    private final Class<I> input;
    private final Class<O> output;
    private final JobKind kind;
    private String queue = "default";
    private int priority;
    private Optional<Duration> timeout = Optional.empty();
    private RetryPolicy retry = RetryPolicy.none();
    private WhenLost whenLost = WhenLost.REQUEUE;
    private InputCheck<? super I> check = InputCheck.none();
    private final List<RequestCheck> requestChecks = new ArrayList<>();
    private int capacity = 1_000;

    private Draft(HandlerId handler, Class<I> input, Class<O> output, JobKind kind) {
      this.handler = handler;
      this.input = input;
      this.output = output;
      this.kind = kind;
    }

    private Draft(JobType<I, O> its) {
      this(its.handler, its.input, its.output, its.kind);
      queue = its.queue;
      priority = its.priority;
      timeout = its.timeout;
      retry = its.retry;
      whenLost = its.whenLost;
      check = its.check;
      requestChecks.addAll(its.requestChecks);
      capacity = its.capacity;
    }

    private JobType<I, O> type() {
      return new JobType<>(
          handler,
          input,
          output,
          kind,
          queue,
          priority,
          timeout,
          retry,
          whenLost,
          check,
          requestChecks,
          capacity);
    }
  }
}
