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
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs jobs where they are submitted, in slots that are reserved before anything is stored. Safe to
 * share between threads.
 */
public final class DirectRuns {

  private final WorkerId worker;
  private final Terms terms;
  private final HandlerRegistry handlers;
  private final Slots slots;
  private final Leases leases;
  private final Consumer<HeldLease> release;
  private volatile boolean works;

  /**
   * Refuses everything until it works.
   *
   * @param release gives a lease back to whoever can run the job
   */
  DirectRuns(
      WorkerId worker,
      Terms terms,
      HandlerRegistry handlers,
      Slots slots,
      Leases leases,
      Consumer<HeldLease> release) {
    this.worker = worker;
    this.terms = terms;
    this.handlers = handlers;
    this.slots = slots;
    this.leases = leases;
    this.release = release;
  }

  void work(boolean works) {
    this.works = works;
  }

  /** Whose leases the jobs are stored with. */
  public WorkerId worker() {
    return worker;
  }

  /** How long each is good for, until it is renewed. */
  public Duration lease() {
    return terms.lease();
  }

  /**
   * The type of job as it is registered here.
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
   * Takes a slot.
   *
   * @throws JobsException with {@link ErrorCode#DIRECT_FULL} or {@link ErrorCode#ENGINE_STOPPED}
   */
  public void reserve() {
    if (!works) {
      throw new JobsException(
          ErrorCode.ENGINE_STOPPED, "the engine of this process does not run: it takes no jobs");
    }
    if (!slots.reserve()) {
      var most = slots.concurrency();
      throw new JobsException(
          ErrorCode.DIRECT_FULL,
          "this process runs %d jobs, and takes at most %d at once".formatted(most, most),
          new Limit(most, most));
    }
  }

  /** Gives a slot back that was reserved. */
  public void giveBack() {
    slots.giveBack();
  }

  /** Gives a slot back whose job was not committed, or was and the answer to that was lost. */
  public void giveBackUncommitted() {
    slots.giveBack();
    leases.answerLost();
  }

  /**
   * Starts a job whose lease is committed, in a slot that was reserved. If that took so long that
   * the lease may be over, it is left to whoever looks for such leases.
   *
   * @param sentAt the process's clock before the submission was sent
   */
  public void start(ClaimedJob job, long sentAt) {
    var isStarted = false;
    try {
      isStarted = isStarted(job, sentAt);
    } finally {
      if (!isStarted) {
        slots.giveBack();
      }
    }
  }

  private boolean isStarted(ClaimedJob job, long sentAt) {
    if (!works) {
      release.accept(new HeldLease(job.id(), job.token()));
      return false;
    }
    var left = terms.lease().minus(terms.margin()).minusNanos(System.nanoTime() - sentAt);
    var held = left.isPositive() ? leases.hold(List.of(job), sentAt) : List.<RunningJob>of();
    held.forEach(slots::startReserved);
    return !held.isEmpty();
  }
}
