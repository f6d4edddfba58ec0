package io.leasehold.engine.inmemory;

import io.leasehold.engine.inmemory.state.AskedJob;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryHistory;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.history.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job in memory. Its state changes atomically and may be read at any time; its place belongs to
 * the {@link MemoryQueue}.
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

  /** The place of a job. */
  enum Place {
    /** The job's transaction is open, or the job has been removed. */
    NOWHERE,
    WAITING,
    LATER,
    /** An open transaction has taken the job out of the queue. */
    WITHDRAWN,
    RUNNING,
    OVER
  }

  /**
   * The state of the job, as in a {@link Job}.
   *
   * @param later why the job is not due yet, while it is not
   * @param output the handler's return value
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

    Life progressed(Job.Progress progress, Instant now) {
      return new Life(
          status,
          attempts,
          Optional.of(progress),
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
   * Creates a job that is not in the queue yet.
   *
   * @param order the order among jobs of the same priority, lowest first
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

  /** Returns the handler's input. It is kept as long as another attempt is possible. */
  @Nullable Object input() {
    return input;
  }

  MemoryHistory history() {
    return history;
  }

  /** Returns the results of the steps, by name. */
  Map<String, Optional<Object>> steps() {
    return steps;
  }

  Optional<Object> checkpoint() {
    return checkpoint.get();
  }

  void checkpoint(Optional<Object> value) {
    checkpoint.set(value);
  }

  /** Reverts a checkpoint whose transaction did not commit, unless there is a later one. */
  void undoCheckpoint(Optional<Object> undone, Optional<Object> before) {
    checkpoint.compareAndSet(undone, before);
  }

  Life life() {
    return life;
  }

  /**
   * Runs work on behalf of an attempt, which cannot end meanwhile. Returns whether the work ran: an
   * attempt that was given up may not act any more, since another one may be running.
   */
  synchronized boolean doAs(RunningJob attempt, Runnable work) {
    if (held != attempt || life.status() != JobStatus.RUNNING) {
      return false;
    }
    work.run();
    return true;
  }

  /** Changes the state, and notifies waiting threads. */
  synchronized void change(UnaryOperator<Life> change) {
    life = change.apply(life);
    if (life.status() == JobStatus.SUCCEEDED) {
      input = null;
      steps.clear();
      checkpoint.set(Optional.empty());
    }
    notifyAll();
  }

  /** Waits until the job has finished or was removed, and at most for {@code most}. */
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

  /** Returns whether the end of the job was requested while a transaction had withdrawn it. */
  boolean isCancelled() {
    return cancelled;
  }

  void cancelled(boolean cancelled) {
    this.cancelled = cancelled;
  }

  /** Returns the running attempt, or the last one that ran. */
  @Nullable RunningJob held() {
    return held;
  }

  void held(RunningJob held) {
    this.held = held;
  }

  /** Returns the token of that attempt, or 0 before the first. */
  long token() {
    var current = held;
    return current == null ? 0 : current.job().token();
  }

  /** Returns the job as callers see it. */
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
