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
  private long goodUntil;
  private long startedAt;
  private long endedAt;
  private long stoppedAt;
  private long interruptedAt;
  private boolean interrupted;
  private boolean ended;
  private boolean endedItself;

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
    endedAt = endedAt == 0 ? System.nanoTime() : endedAt;
    Thread.interrupted();
    return stopped();
  }

  /** Its handler's transaction ended it, and is committed. */
  synchronized void endedItself() {
    endedItself = true;
  }

  synchronized boolean hasEndedItself() {
    return endedItself;
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

  synchronized Optional<Stop> stopped() {
    return Optional.ofNullable(stop);
  }

  synchronized boolean hasBegun() {
    return startedAt != 0;
  }

  /** For how long its handler ran, or has been running. */
  synchronized Duration ranFor(long now) {
    return Duration.ofNanos((endedAt == 0 ? now : endedAt) - startedAt);
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

  /** Interrupts its thread, once, when the reason to stop is so old. */
  synchronized void interruptAfter(Duration grace, long now) {
    if (stop != null && !interrupted && thread != null && now - stoppedAt >= grace.toNanos()) {
      interrupted = true;
      interruptedAt = now;
      thread.interrupt();
    }
  }
}
