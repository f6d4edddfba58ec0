package io.leasehold.engine.work.attempt;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.lease.LostWorker;
import io.leasehold.jobs.StopReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job that this worker holds the lease of: from the claim until its end is written, or the lease
 * is lost. One in memory has no other worker, and a lease that lasts. Safe to share between
 * threads.
 */
public final class RunningJob {

  /** Longer than any process lives, and no overflow away from any reading of its clock. */
  private static final long FOREVER = Long.MAX_VALUE / 2;

  /** How long a handler may take to be told of its job's end. */
  private static final Duration TO_BE_TOLD = Duration.ofSeconds(30);

  private final ClaimedJob job;
  private final long claimedAt;

  // Guarded by this.
  private @Nullable Thread thread;
  private @Nullable StopReason stop;
  private @Nullable FencedJournal journal;
  private long goodUntil;
  private long startedAt;
  private long endedAt;
  private long stoppedAt;
  private long interruptedAt;
  private boolean interrupted;
  private boolean abandoned;
  private boolean ended;
  private @Nullable Ending decided;
  private long tellingAt;
  private boolean endedItself;
  private boolean marked;

  /**
   * A job that was just claimed.
   *
   * @param claimedAt the process's clock before the claim was sent
   * @param goodUntil when by that clock the lease may be over
   */
  public RunningJob(ClaimedJob job, long claimedAt, long goodUntil) {
    this.job = job;
    this.claimedAt = claimedAt;
    this.goodUntil = goodUntil;
  }

  /** One that nobody else can take. */
  public static RunningJob inMemory(ClaimedJob job, long now) {
    return new RunningJob(job, now, now + FOREVER);
  }

  /** Which job, and under which token. */
  public ClaimedJob job() {
    return job;
  }

  public HeldLease lease() {
    return new HeldLease(job.id(), job.token());
  }

  public long claimedAt() {
    return claimedAt;
  }

  public synchronized void renewed(long until) {
    goodUntil = until;
  }

  public synchronized boolean isDoubtful(long now, Duration margin) {
    return now - (goodUntil - margin.toNanos()) >= 0;
  }

  /**
   * Begins on the current thread; not if it was stopped before, or has waited too long. An adopted
   * one begins all the same if its end was asked for, or its time is up: what an earlier worker
   * started does not stop by itself.
   */
  public synchronized boolean begin(long now) {
    if (stop == null && now - goodUntil >= 0) {
      stop = StopReason.LOST;
    }
    if (stop != null && (job.ranBefore().isEmpty() || stop.goesOnElsewhere())) {
      return false;
    }
    thread = Thread.currentThread();
    startedAt = now;
    return true;
  }

  /**
   * Ends on the current thread, which nobody interrupts from now on. Answers why it was stopped.
   */
  public synchronized Optional<StopReason> end() {
    thread = null;
    endedAt = endedAt == 0 ? System.nanoTime() : endedAt;
    Thread.interrupted();
    return stopped();
  }

  /**
   * Begins to tell the handler, on the current thread, how its job ends. It has time of its own for
   * that; what the handler was told to stop for is past.
   */
  public synchronized void beginToTell(Ending end, long now) {
    decided = end;
    tellingAt = now;
    stop = null;
    interrupted = false;
    abandoned = false;
    thread = Thread.currentThread();
    Thread.interrupted();
  }

  /**
   * The handler has been told. Its interceptors go on in the time that it had for that, and may
   * fail the attempt yet: nothing is decided while they do.
   */
  public synchronized void told() {
    decided = null;
  }

  /** How it ends, if that is decided already. */
  public synchronized Optional<Ending> decided() {
    return Optional.ofNullable(decided);
  }

  /** Its handler's transaction ended it, and is committed. */
  synchronized void endedItself() {
    endedItself = true;
  }

  public synchronized boolean hasEndedItself() {
    return endedItself;
  }

  /** Answers once that the end is the caller's to write. */
  public synchronized boolean takeEnd() {
    var first = !ended;
    ended = true;
    return first;
  }

  /** Answers once that its thread goes on though it was interrupted so long ago. */
  public synchronized boolean goesOn(Duration since, long now) {
    if (!interrupted || thread == null || abandoned || now - interruptedAt < since.toNanos()) {
      return false;
    }
    abandoned = true;
    return !ended;
  }

  /** Has its attempt write into this. */
  synchronized void writesInto(FencedJournal its) {
    journal = its;
  }

  synchronized Optional<FencedJournal> journal() {
    return Optional.ofNullable(journal);
  }

  /** Whether it has run for so long, and that it has begun is not marked. */
  public synchronized boolean isUnmarkedAfter(Duration since, long now) {
    return startedAt != 0 && !marked && stop == null && now - startedAt >= since.toNanos();
  }

  /** That it has begun is marked, or need not be. */
  public synchronized void marked() {
    marked = true;
  }

  /** Why it has to stop, if it has to. */
  public synchronized Optional<StopReason> stopped() {
    return Optional.ofNullable(stop);
  }

  /**
   * The same at a moment, also when its worker slept past the lease and nobody has looked since.
   */
  synchronized Optional<StopReason> stoppedBy(long now) {
    if (now - goodUntil >= 0) {
      stop(StopReason.LOST, now);
    }
    return stopped();
  }

  /** Whether its lease is lost by a moment, also when nobody watches it. */
  boolean isLostBy(long now) {
    return stoppedBy(now).filter(why -> why == StopReason.LOST).isPresent();
  }

  public synchronized boolean isLost() {
    return stop == StopReason.LOST;
  }

  public synchronized boolean hasBegun() {
    return startedAt != 0;
  }

  /**
   * Whether it may be given back. One whose attempts were lost again and again is lost once more,
   * and judged by whoever rescues it: it may be what stops its workers.
   */
  public boolean mayGoOnElsewhere() {
    return job.attempt() < job.maxAttempts() + LostWorker.BEYOND_MAX;
  }

  /** For how long its handler ran, or has been running. */
  public synchronized Duration ranFor(long now) {
    return Duration.ofNanos((endedAt == 0 ? now : endedAt) - startedAt);
  }

  public synchronized Optional<Duration> remaining(long now) {
    var limit = tellingAt == 0 ? timeLeft() : Optional.of(toBeTold());
    var since = tellingAt == 0 ? startedAt : tellingAt;
    return limit
        .map(its -> its.minusNanos(startedAt == 0 ? 0 : now - since))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  /** How long its handler may take or, after that, the calls that tell of its end. */
  synchronized Duration limit() {
    return tellingAt == 0 ? job.timeLimit().orElse(TO_BE_TOLD) : toBeTold();
  }

  private Optional<Duration> timeLeft() {
    return job.timeLimit().map(its -> its.minus(job.ranBefore().orElse(Duration.ZERO)));
  }

  private Duration toBeTold() {
    return job.timeLimit().filter(its -> its.compareTo(TO_BE_TOLD) < 0).orElse(TO_BE_TOLD);
  }

  /**
   * Says why it has to stop; the first reason counts, unless the lease is lost. One that is
   * cancelled may come to be removed: its grace runs already.
   */
  public synchronized void stop(StopReason why, long now) {
    if (stop == null || why == StopReason.LOST) {
      stop = why;
      stoppedAt = now;
    } else if (stop == StopReason.CANCELLED && why == StopReason.REMOVED) {
      stop = why;
    }
  }

  /**
   * Stops it because somebody asked for its end, or its removal, and tells of that, once.
   *
   * @param why {@link StopReason#CANCELLED} or {@link StopReason#REMOVED}
   */
  public void cancel(StopReason why, long now) {
    FencedJournal its;
    synchronized (this) {
      its = stop == null ? journal : null;
      stop(why, now);
    }
    if (its != null) {
      its.cancelRequested();
    }
  }

  /** Interrupts its thread, once, when the reason to stop is so old. */
  public synchronized void interruptAfter(Duration grace, long now) {
    if (stop != null && !interrupted && thread != null && now - stoppedAt >= grace.toNanos()) {
      interrupted = true;
      interruptedAt = now;
      thread.interrupt();
    }
  }
}
