package io.leasehold.engine.run;

import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.lease.HeldLease;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job that this worker holds the lease of: from the claim until its end is written, or the lease
 * is lost. Safe to share between threads.
 */
final class HeldJob {

  private final ClaimedJob job;
  private final long claimedAt;

  // Guarded by this.
  private @Nullable Thread thread;
  private @Nullable Stop stop;
  private @Nullable FencedJournal journal;
  private long goodUntil;
  private long startedAt;
  private long stoppedAt;
  private long interruptedAt;
  private boolean interrupted;
  private boolean ended;
  private boolean marked;

  /**
   * A job that was just claimed.
   *
   * @param claimedAt the process's clock before the claim was sent
   * @param goodUntil when by that clock the lease may be over
   */
  HeldJob(ClaimedJob job, long claimedAt, long goodUntil) {
    this.job = job;
    this.claimedAt = claimedAt;
    this.goodUntil = goodUntil;
  }

  ClaimedJob job() {
    return job;
  }

  HeldLease lease() {
    return new HeldLease(job.id(), job.token());
  }

  long claimedAt() {
    return claimedAt;
  }

  synchronized void renewed(long until) {
    goodUntil = until;
  }

  synchronized boolean isDoubtful(long now, Duration margin) {
    return now - (goodUntil - margin.toNanos()) >= 0;
  }

  /** Begins on the current thread; not if it was stopped before, or has waited too long. */
  synchronized boolean begin(long now) {
    if (stop == null && now - goodUntil >= 0) {
      stop = Stop.LOST;
    }
    if (stop != null) {
      return false;
    }
    thread = Thread.currentThread();
    startedAt = now;
    return true;
  }

  /**
   * Ends on the current thread, which nobody interrupts from now on. Answers why it was stopped.
   */
  synchronized Optional<Stop> end() {
    thread = null;
    Thread.interrupted();
    return stopped();
  }

  /** Answers once that the end is the caller's to write. */
  synchronized boolean takeEnd() {
    var first = !ended;
    ended = true;
    return first;
  }

  /** Whether its thread goes on though it was interrupted so long ago. */
  synchronized boolean goesOn(Duration since, long now) {
    return interrupted && thread != null && !ended && now - interruptedAt >= since.toNanos();
  }

  /** Has its attempt write into this. */
  synchronized void writesInto(FencedJournal its) {
    journal = its;
  }

  synchronized Optional<FencedJournal> journal() {
    return Optional.ofNullable(journal);
  }

  /** Whether it has run for so long, and that it has begun is not marked. */
  synchronized boolean isUnmarkedAfter(Duration since, long now) {
    return startedAt != 0 && !marked && stop == null && now - startedAt >= since.toNanos();
  }

  /** That it has begun is marked, or need not be. */
  synchronized void marked() {
    marked = true;
  }

  synchronized Optional<Stop> stopped() {
    return Optional.ofNullable(stop);
  }

  synchronized boolean isLost() {
    return stop == Stop.LOST;
  }

  synchronized boolean hasBegun() {
    return startedAt != 0;
  }

  synchronized Optional<Duration> remaining(long now) {
    return job.timeLimit()
        .map(limit -> limit.minusNanos(startedAt == 0 ? 0 : now - startedAt))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  /** Says why it has to stop; the first reason counts, unless the lease is lost. */
  synchronized void stop(Stop why, long now) {
    if (stop == null || why == Stop.LOST) {
      stop = why;
      stoppedAt = now;
    }
  }

  /** Stops it because somebody asked for its end, and tells of that, once. */
  void cancel(long now) {
    FencedJournal its;
    synchronized (this) {
      its = stop == null ? journal : null;
      stop(Stop.CANCELLED, now);
    }
    if (its != null) {
      its.cancelRequested();
    }
  }

  /** Interrupts its thread, once, when the reason to stop is so old. */
  synchronized void interruptAfter(Duration grace, long now) {
    if (stop != null && !interrupted && thread != null && now - stoppedAt >= grace.toNanos()) {
      interrupted = true;
      interruptedAt = now;
      thread.interrupt();
    }
  }
}
