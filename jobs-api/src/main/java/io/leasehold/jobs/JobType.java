package io.leasehold.jobs;

import io.leasehold.jobs.spi.InputCheck;
import io.leasehold.jobs.spi.RequestCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A kind of job: its handler, its input and output types, and the defaults for its requests.
 * Immutable; each method returns a modified copy.
 *
 * @param handler the id of the handler; each worker registers at most one handler for an id
 * @param input the input type; the input of a restartable job is written and read as JSON
 * @param output the output type; the output of a restartable job is written and read as JSON
 * @param kind where jobs of this type live
 * @param queue the queue in which jobs wait; default {@code default}
 * @param priority the priority among jobs of the same tenant; higher runs first; default 0
 * @param timeout the maximum duration of one attempt; default unlimited
 * @param retry the number of attempts and the delay between them; default one attempt
 * @param whenLost what happens to a job whose worker is lost; default {@link WhenLost#REQUEUE}
 * @param check the check that each input must pass; default accepts any input
 * @param requestChecks the checks that each request must pass; default none
 * @param capacity the maximum number of jobs of this type that one process holds in memory; default
 *     1,000
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
   * @throws IllegalArgumentException if a value is out of bounds
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
   * Creates a type of restartable jobs. Such a job is stored with its input and survives restarts.
   *
   * @throws IllegalArgumentException if the handler's name is not a valid identifier, see {@link
   *     HandlerId}
   */
  public static <I, O> JobType<I, O> restartable(String handler, Class<I> input, Class<O> output) {
    return new Draft<>(new HandlerId(handler), input, output, JobKind.RESTARTABLE).type();
  }

  /**
   * Creates a type of in-memory jobs. Such a job takes any object as input, lives in the process
   * that accepts it, and is lost with that process. A process accepts up to {@link #capacity(int)}
   * of them; further submissions are refused with {@link ErrorCode#MEMORY_FULL}.
   *
   * @throws IllegalArgumentException if the handler's name is not a valid identifier, see {@link
   *     HandlerId}
   */
  public static <I, O> JobType<I, O> inMemory(String handler, Class<I> input, Class<O> output) {
    return new Draft<>(new HandlerId(handler), input, output, JobKind.IN_MEMORY).type();
  }

  /** Sets the queue in which jobs wait: up to 64 small letters, digits and {@code _ . -}. */
  public JobType<I, O> queue(String queue) {
    return but(draft -> draft.queue = queue);
  }

  /** Sets the priority among jobs of the same tenant: -1,000 to 1,000, higher runs first. */
  public JobType<I, O> priority(int priority) {
    return but(draft -> draft.priority = priority);
  }

  /** Sets the maximum duration of one attempt: 1 ms to 30 days. */
  public JobType<I, O> timeout(Duration timeout) {
    return but(draft -> draft.timeout = Optional.of(timeout));
  }

  /** Sets the number of attempts and the delay between them. */
  public JobType<I, O> retry(RetryPolicy retry) {
    return but(draft -> draft.retry = retry);
  }

  /**
   * Sets what happens to a job whose worker is lost. In-memory jobs are always lost with their
   * worker.
   */
  public JobType<I, O> whenLost(WhenLost whenLost) {
    return but(draft -> draft.whenLost = whenLost);
  }

  /** Sets a check that each input must pass before anything is stored. */
  public JobType<I, O> check(InputCheck<? super I> check) {
    return but(draft -> draft.check = check);
  }

  /** Adds a check of whole requests to the existing ones. A request must pass all of them. */
  public JobType<I, O> checkRequest(RequestCheck check) {
    return but(draft -> draft.requestChecks.add(check));
  }

  /**
   * Sets the maximum number of jobs of this type that one process holds in memory, waiting and
   * running: 1 to 1,000,000. Restartable jobs do not count.
   */
  public JobType<I, O> capacity(int capacity) {
    return but(draft -> draft.capacity = capacity);
  }

  /** Creates a request for a job of this type. */
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

  /** A type under construction. */
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

    private Draft(JobType<I, O> type) {
      this(type.handler, type.input, type.output, type.kind);
      queue = type.queue;
      priority = type.priority;
      timeout = type.timeout;
      retry = type.retry;
      whenLost = type.whenLost;
      check = type.check;
      requestChecks.addAll(type.requestChecks);
      capacity = type.capacity;
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
