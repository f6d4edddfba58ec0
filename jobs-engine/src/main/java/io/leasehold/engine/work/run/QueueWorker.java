package io.leasehold.engine.work.run;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.engine.threads.Signal;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.LoggerFactory;

/** Claims the jobs of one queue while it has free slots. */
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
   * Claims nothing until it runs.
   *
   * @param polling how often to check the queue without a signal
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
   * How a queue is polled.
   *
   * @param every the maximum interval between checks without a signal
   * @param random spreads the checks of many processes
   * @param signs notified of each check
   */
  record Polling(Duration every, RandomGenerator random, SignsOfLife signs) {}

  /** Claims until it is stopped or its thread is interrupted. */
  @Override
  public void run() {
    try {
      while (claiming) {
        if (!claim()) {
          signal.await(Pauses.shortened(pollEvery, 0.5, random));
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

  /** Signals that there may be new jobs or free slots. */
  void ring() {
    signal.ring();
  }

  /** Signals that the set of claimable jobs has changed. */
  void lookAgain() {
    lanes.lookAgain();
    signal.ring();
  }

  // Returns whether to claim again immediately.
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
      if (e.code() == ErrorCode.OUTCOME_UNKNOWN) { // This worker must not run what it took.
        leases.answerLost();
      }
      log.failed(e);
      return false;
    } catch (RuntimeException e) { // Nothing may end the only claiming thread.
      log.failed(e);
      return false;
    }
  }
}
