package io.leasehold.engine.inmemory;

import io.leasehold.engine.inmemory.state.AskedJob;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryHistory;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.Explanation;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job in memory. What is known of it changes as a whole, and may be read at any time; where it is
 * belongs to the {@link MemoryQueue}.
 */
final class MemoryJob {

  private final AskedJob asked;
  private final long order;
  private final MemoryHistory history;
  private final Map<String, Optional<Object>> steps = new ConcurrentHashMap<>();
  private final AtomicReference<Optional<Object>> checkpoint =
      new AtomicReference<>(Optional.empty());
  private volatile @Nullable Object input;
  private volatile Life life;

  private volatile @Nullable RunningJob held;
  private volatile boolean cancelled;

  // Changed by the queue, under its lock.
  private volatile Place place = Place.NOWHERE;
  private long dueAt;
  private volatile boolean deletedAtEnd;

  /** Where it is. */
  enum Place {
    /** Its transaction is open, or it is gone. */
    NOWHERE,
    WAITING,
    LATER,
    /** Taken out of the queue by a transaction that is open. */
    WITHDRAWN,
    RUNNING,
    OVER
  }

  /**
   * What is known of it, as of a {@link Job}.
   *
   * @param later why it is not due yet, as long as it is not
   * @param output what its handler returned
   */
  record Life(
      JobStatus status,
      int attempts,
      Optional<Job.Progress> progress,
      Optional<Instant> availableAt,
      Explanation.Reason later,
      Optional<Instant> startedAt,
      Optional<Instant> finishedAt,
      Instant updatedAt,
      Optional<String> lastError,
      @Nullable Object output) {

    static Life from(Instant availableAt, Instant now) {
      return new Life(
          JobStatus.QUEUED,
          0,
          Optional.empty(),
          Optional.of(availableAt),
          Explanation.Reason.NOT_DUE,
          Optional.empty(),
          Optional.empty(),
          now,
          Optional.empty(),
          null);
    }

    Life queued(
        int attempts,
        Instant availableAt,
        Explanation.Reason later,
        Optional<String> error,
        Instant now) {
      return new Life(
          JobStatus.QUEUED,
          attempts,
          progress,
          Optional.of(availableAt),
          later,
          startedAt,
          Optional.empty(),
          now,
          error,
          null);
    }

    Life running(Instant now) {
      return new Life(
          JobStatus.RUNNING,
          attempts + 1,
          progress,
          Optional.empty(),
          later,
          Optional.of(startedAt.orElse(now)),
          Optional.empty(),
          now,
          lastError,
          null);
    }

    Life over(JobStatus status, Optional<String> error, @Nullable Object output, Instant now) {
      return new Life(
          status,
          attempts,
          progress,
          Optional.empty(),
          later,
          startedAt,
          Optional.of(now),
          now,
          error,
          output);
    }

    Life progressed(Job.Progress its, Instant now) {
      return new Life(
          status,
          attempts,
          Optional.of(its),
          availableAt,
          later,
          startedAt,
          finishedAt,
          now,
          lastError,
          output);
    }
  }

  /**
   * One that is nowhere yet.
   *
   * @param order among jobs of the same priority, the lower first
   */
  MemoryJob(AskedJob asked, long order, Object input, Life life, MemoryHistory history) {
    this.asked = asked;
    this.order = order;
    this.input = input;
    this.life = life;
    this.history = history;
  }

  AskedJob asked() {
    return asked;
  }

  long order() {
    return order;
  }

  /** What the handler is given; kept as long as there may be another attempt. */
  @Nullable Object input() {
    return input;
  }

  MemoryHistory history() {
    return history;
  }

  /** What steps returned, by their names. */
  Map<String, Optional<Object>> steps() {
    return steps;
  }

  Optional<Object> checkpoint() {
    return checkpoint.get();
  }

  void checkpoint(Optional<Object> value) {
    checkpoint.set(value);
  }

  /** Takes a checkpoint back whose transaction did not commit, unless there is a later one. */
  void undoCheckpoint(Optional<Object> undone, Optional<Object> before) {
    checkpoint.compareAndSet(undone, before);
  }

  Life life() {
    return life;
  }

  /**
   * Does something as an attempt, whose end waits for it. Answers whether it did: one that was
   * given up has nothing more to say, for another may run.
   */
  synchronized boolean doAs(RunningJob attempt, Runnable work) {
    if (held != attempt || life.status() != JobStatus.RUNNING) {
      return false;
    }
    work.run();
    return true;
  }

  /** Changes what is known, and tells those who wait for it. */
  synchronized void change(UnaryOperator<Life> change) {
    life = change.apply(life);
    if (life.status() == JobStatus.SUCCEEDED) {
      input = null;
      steps.clear();
      checkpoint.set(Optional.empty());
    }
    notifyAll();
  }

  /** Waits until it is over or gone, or so long. */
  synchronized void awaitEnd(Duration most) throws InterruptedException {
    var deadline = System.nanoTime() + most.toNanos();
    var left = most.toMillis();
    while (left > 0 && !life.status().isFinal() && place != Place.NOWHERE) {
      wait(left);
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
  }

  Place place() {
    return place;
  }

  void place(Place place) {
    this.place = place;
  }

  long dueAt() {
    return dueAt;
  }

  void dueAt(long dueAt) {
    this.dueAt = dueAt;
  }

  boolean isDeletedAtEnd() {
    return deletedAtEnd;
  }

  void deleteAtEnd() {
    deletedAtEnd = true;
  }

  /** Whether its end was asked for while a transaction had it withdrawn. */
  boolean isCancelled() {
    return cancelled;
  }

  void cancelled(boolean cancelled) {
    this.cancelled = cancelled;
  }

  /** The attempt that runs, or ran last. */
  @Nullable RunningJob held() {
    return held;
  }

  void held(RunningJob held) {
    this.held = held;
  }

  /** The token of that attempt; 0 before the first. */
  long token() {
    var its = held;
    return its == null ? 0 : its.job().token();
  }

  /** As callers see it. */
  Job seen() {
    var type = asked.handler().type();
    var now = life;
    return new Job(
        asked.tenant(),
        asked.id(),
        type.handler(),
        now.status(),
        asked.correlationId(),
        type.queue(),
        asked.priority(),
        now.attempts(),
        asked.maxAttempts(),
        now.progress(),
        MemoryClock.createdAt(asked.id()),
        now.availableAt(),
        now.startedAt(),
        now.finishedAt(),
        now.updatedAt(),
        now.lastError());
  }
}
