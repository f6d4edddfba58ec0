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
 * A job whose lease this worker holds, from the claim until the ending is written or the lease is
 * lost. A job in memory has no other worker, and its lease never expires. Thread-safe.
 */
public final class RunningJob {

  /**
   * Longer than any process lives, and safe from overflow when added to any reading of its clock.
   */
  private static final long FOREVER = Long.MAX_VALUE / 2;

  /** How long the calls that notify a handler of its job's end may take. */
  private static final Duration TO_BE_TOLD = Duration.ofSeconds(30);

  private final ClaimedJob job;
  private final long claimedAt;

  //            begin()            end()            takeEnd()
  //   claimed ---------> working --------> ended ------------> over
  //      |               |    ^              |                  ^
  //      | stop()        |    +--------------+ beginToTell()    |
  //      v               v stop()                               |
  //   never begins    stopped ------------------> interrupted   |
  //                           interruptAfter()        | goesOn()|
  //                                                   v         | takeEnd()
  //                                               abandoned ----+
  //
  // A stopped thread that returns has ended like any other. beginToTell() also follows a handler
  // that returned, without an end() in between, and voids an earlier stop. The thread that takes
  // the end writes the ending.

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
   * Creates a newly claimed job.
   *
   * @param claimedAt the process's clock just before the claim was sent
   * @param goodUntil when, by that clock, the lease may expire
   */
  public RunningJob(ClaimedJob job, long claimedAt, long goodUntil) {
    this.job = job;
    this.claimedAt = claimedAt;
    this.goodUntil = goodUntil;
  }

  /** Creates a job in memory, which no other worker can take. */
  public static RunningJob inMemory(ClaimedJob job, long now) {
    return new RunningJob(job, now, now + FOREVER);
  }

  /** Returns the claimed job and its lease token. */
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
   * Begins the attempt on the current thread, unless the job was already stopped or has waited
   * until its lease may have expired. An adopted job begins even if it was cancelled or has timed
   * out, because the work that an earlier worker started does not stop by itself.
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
   * Ends the attempt on the current thread, which is not interrupted from now on. Returns the
   * reason it was stopped, if any.
   */
  public synchronized Optional<StopReason> end() {
    thread = null;
    endedAt = endedAt == 0 ? System.nanoTime() : endedAt;
    Thread.interrupted();
    return stopped();
  }

  /**
   * Begins, on the current thread, to notify the handler of how its job ends. The notification has
   * a time limit of its own, and any earlier reason to stop no longer applies.
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
   * The handler has been notified. Its interceptors continue within the notification's time limit
   * and may still fail the attempt, so nothing is decided while they run.
   */
  public synchronized void told() {
    decided = null;
  }

  /** Returns the ending, if it is already decided. */
  public synchronized Optional<Ending> decided() {
    return Optional.ofNullable(decided);
  }

  /** Records that the handler's own transaction ended the job and is committed. */
  synchronized void endedItself() {
    endedItself = true;
  }

  public synchronized boolean hasEndedItself() {
    return endedItself;
  }

  /** Returns true once: the caller that receives it writes the ending. */
  public synchronized boolean takeEnd() {
    var first = !ended;
    ended = true;
    return first;
  }

  /**
   * Returns true once, if the thread is still running {@code since} after its interrupt and the
   * ending has not been taken.
   */
  public synchronized boolean goesOn(Duration since, long now) {
    if (!interrupted || thread == null || abandoned || now - interruptedAt < since.toNanos()) {
      return false;
    }
    abandoned = true;
    return !ended;
  }

  /** Sets the journal of the attempt. */
  synchronized void writesInto(FencedJournal journal) {
    this.journal = journal;
  }

  synchronized Optional<FencedJournal> journal() {
    return Optional.ofNullable(journal);
  }

  /** Whether the job has run for {@code since} without being marked as begun. */
  public synchronized boolean isUnmarkedAfter(Duration since, long now) {
    return startedAt != 0 && !marked && stop == null && now - startedAt >= since.toNanos();
  }

  /** Records that the job is marked as begun, or need not be. */
  public synchronized void marked() {
    marked = true;
  }

  /** Returns the reason to stop, if there is one. */
  public synchronized Optional<StopReason> stopped() {
    return Optional.ofNullable(stop);
  }

  /**
   * The same as of a moment. Also detects a lease that expired while the worker was suspended and
   * nothing checked.
   */
  synchronized Optional<StopReason> stoppedBy(long now) {
    if (now - goodUntil >= 0) {
      stop(StopReason.LOST, now);
    }
    return stopped();
  }

  /** Whether the lease is lost as of a moment, even if no thread watches the job. */
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
   * Whether the job may be given back. If its attempts have been lost too many times, it is not
   * given back. The rescue then takes it as lost once more and judges it, because the job itself
   * may be what kills its workers.
   */
  public boolean mayGoOnElsewhere() {
    return job.attempt() < job.maxAttempts() + LostWorker.BEYOND_MAX;
  }

  /** Returns how long the handler ran, or has been running. */
  public synchronized Duration ranFor(long now) {
    return Duration.ofNanos((endedAt == 0 ? now : endedAt) - startedAt);
  }

  public synchronized Optional<Duration> remaining(long now) {
    var limit = tellingAt == 0 ? timeLeft() : Optional.of(toBeTold());
    var since = tellingAt == 0 ? startedAt : tellingAt;
    return limit
        .map(time -> time.minusNanos(startedAt == 0 ? 0 : now - since))
        .map(left -> left.isNegative() ? Duration.ZERO : left);
  }

  /** Returns the time limit of the handler or, after it, of the calls that notify it of the end. */
  synchronized Duration limit() {
    return tellingAt == 0 ? job.timeLimit().orElse(TO_BE_TOLD) : toBeTold();
  }

  private Optional<Duration> timeLeft() {
    return job.timeLimit().map(limit -> limit.minus(job.ranBefore().orElse(Duration.ZERO)));
  }

  private Duration toBeTold() {
    return job.timeLimit().filter(limit -> limit.compareTo(TO_BE_TOLD) < 0).orElse(TO_BE_TOLD);
  }

  /**
   * Sets the reason to stop. The first reason counts, unless the lease is lost. A cancelled job may
   * still become a removed one; its grace period is not restarted.
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
   * Stops the job because its cancellation or removal was requested, and records that once.
   *
   * @param why {@link StopReason#CANCELLED} or {@link StopReason#REMOVED}
   */
  public void cancel(StopReason why, long now) {
    FencedJournal toNotify;
    synchronized (this) {
      toNotify = stop == null ? journal : null;
      stop(why, now);
    }
    if (toNotify != null) {
      toNotify.cancelRequested();
    }
  }

  /** Interrupts the thread, once, if the job was stopped at least {@code grace} ago. */
  public synchronized void interruptAfter(Duration grace, long now) {
    if (stop != null && !interrupted && thread != null && now - stoppedAt >= grace.toNanos()) {
      interrupted = true;
      interruptedAt = now;
      thread.interrupt();
    }
  }
}
