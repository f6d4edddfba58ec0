package io.leasehold.engine.work.run;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.threads.Signal;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/** Claims the jobs of one queue for as long as there is room for them. */
final class QueueWorker implements Runnable {

  private final PeriodicTaskLog log;
  private final Lanes lanes;
  private final Slots slots;
  private final Leases leases;
  private final JobChanges changes;
  private final SignsOfLife signs;
  private final Signal signal = new Signal();
  private final Duration pollEvery;
  private final RandomGenerator random;
  private volatile boolean claiming = true;

  /**
   * Nothing is claimed before it runs.
   *
   * @param polling how long it goes without looking when nobody rings
   */
  QueueWorker(
      String queue, Lanes lanes, Slots slots, Leases leases, JobChanges changes, Polling polling) {
    this.log =
        new PeriodicTaskLog(
            LoggerFactory.getLogger(QueueWorker.class), "the claim of jobs from queue " + queue);
    this.lanes = lanes;
    this.slots = slots;
    this.leases = leases;
    this.changes = changes;
    this.pollEvery = polling.every();
    this.random = polling.random();
    this.signs = polling.signs();
  }

  /**
   * How a queue is looked at.
   *
   * @param every how often when nobody rings
   * @param random keeps many from looking at once
   * @param signs told of each look
   */
  record Polling(Duration every, RandomGenerator random, SignsOfLife signs) {}

  /** Claims until it is stopped, or its thread interrupted. */
  @Override
  public void run() {
    try {
      while (claiming) {
        if (!claim()) {
          signal.await(jittered());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void stop() {
    claiming = false;
    signal.ring();
  }

  Slots slots() {
    return slots;
  }

  boolean isIdle() {
    return slots.areAllFree();
  }

  /** Tells that there may be jobs, or room for them. */
  void ring() {
    signal.ring();
  }

  /** Tells that it has changed what may be claimed. */
  void lookAgain() {
    lanes.lookAgain();
    signal.ring();
  }

  // Answers whether to go on at once.
  private boolean claim() {
    var room = slots.room(System.nanoTime());
    if (room == 0 || leases.areDoubtful()) {
      return false;
    }
    var sentAt = System.nanoTime();
    try {
      var claimed = lanes.claim(room);
      signs.claimed();
      log.succeeded();
      slots.take(leases.hold(claimed.jobs(), sentAt));
      changes.changed(claimed.jobs(), ClaimedJob::id);
      return claimed.more();
    } catch (JobsException e) {
      signs.databaseFailed(e);
      if (e.code() == ErrorCode.OUTCOME_UNKNOWN) { // What it took is not ours to run.
        leases.answerLost();
      }
      log.failed(e);
      return false;
    } catch (RuntimeException e) { // Nothing may end the only thread that claims.
      log.failed(e);
      return false;
    }
  }

  // Between a half and the whole: processes that were woken together do not stay together.
  private Duration jittered() {
    return Duration.ofNanos((long) (pollEvery.toNanos() * (0.5 + random.nextDouble() / 2)));
  }
}
