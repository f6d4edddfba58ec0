package io.leasehold.engine.work.run;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.JobsException.Limit;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs jobs in the process that submits them, in slots that are reserved before anything is stored.
 * Thread-safe.
 */
@Singleton
public final class DirectRuns {

  private final WorkerId worker;
  private final Terms terms;
  private final HandlerRegistry handlers;
  private final Optional<Slots> shared;
  private final Leases leases;
  private volatile boolean works;

  @Inject
  DirectRuns(
      WorkerId worker, Terms terms, HandlerRegistry handlers, QueueSlots slots, Leases leases) {
    this(worker, terms, handlers, slots.shared(), leases);
  }

  /** Rejects all reservations until {@link #work} enables it. */
  DirectRuns(
      WorkerId worker,
      Terms terms,
      HandlerRegistry handlers,
      Optional<Slots> shared,
      Leases leases) {
    this.worker = worker;
    this.terms = terms;
    this.handlers = handlers;
    this.shared = shared;
    this.leases = leases;
  }

  /** Returns whether this process is in direct mode. Only then can jobs be run here. */
  public boolean areOn() {
    return shared.isPresent();
  }

  private Slots slots() {
    return shared.orElseThrow();
  }

  void work(boolean works) {
    this.works = works;
  }

  /** Returns the worker that the stored leases belong to. */
  public WorkerId worker() {
    return worker;
  }

  /** Returns how long a lease is valid unless it is renewed. */
  public Duration lease() {
    return terms.lease();
  }

  /**
   * Returns the job type that is registered in this process.
   *
   * @throws JobsException with {@link ErrorCode#HANDLER_UNKNOWN}
   */
  public JobType<?, ?> type(HandlerId handler) {
    return handlers
        .find(handler.value())
        .<JobType<?, ?>>map(RegisteredHandler::type)
        .orElseThrow(
            () ->
                new JobsException(
                    ErrorCode.HANDLER_UNKNOWN,
                    "this process has no handler for jobs of %s, and runs them itself"
                        .formatted(handler)));
  }

  /**
   * Reserves a slot.
   *
   * @throws JobsException with {@link ErrorCode#DIRECT_FULL} or {@link ErrorCode#ENGINE_STOPPED}
   */
  public void reserve() {
    if (!works) {
      throw new JobsException(
          ErrorCode.ENGINE_STOPPED, "the engine of this process does not run: it takes no jobs");
    }
    if (!slots().reserve()) {
      var most = slots().concurrency();
      throw new JobsException(
          ErrorCode.DIRECT_FULL,
          "this process runs %d jobs, and takes at most %d at once".formatted(most, most),
          new Limit(most, most));
    }
  }

  /** Gives a reserved slot back. */
  public void giveBack() {
    slots().giveBack();
  }

  /**
   * Gives a reserved slot back if the job was not committed, or if the answer to the commit was
   * lost.
   */
  public void giveBackUncommitted() {
    slots().giveBack();
    leases.answerLost();
  }

  /**
   * Starts a job whose lease is committed, in a reserved slot. If the submission took until the
   * lease may have expired, the job is left to the rescue of expired leases.
   *
   * @param sentAt the process's clock just before the submission was sent
   */
  public void start(ClaimedJob job, long sentAt) {
    var isStarted = false;
    try {
      isStarted = isStarted(job, sentAt);
    } finally {
      if (!isStarted) {
        slots().giveBack();
      }
    }
  }

  private boolean isStarted(ClaimedJob job, long sentAt) {
    if (!works) {
      leases.giveBack(List.of(new HeldLease(job.id(), job.token())), false);
      return false;
    }
    var left = terms.lease().minus(terms.margin()).minusNanos(System.nanoTime() - sentAt);
    var held = left.isPositive() ? leases.hold(List.of(job), sentAt) : List.<RunningJob>of();
    held.forEach(slots()::startReserved);
    return !held.isEmpty();
  }
}
