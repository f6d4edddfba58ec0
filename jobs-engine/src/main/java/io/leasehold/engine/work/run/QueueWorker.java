package io.leasehold.engine.work.run;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.threads.Signal;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Claims the jobs of one queue while it has free slots. */
final class QueueWorker implements Runnable {

  private final PeriodicTaskLog log;
  private final Lanes lanes;
  private final Slots slots;
  private final Leases leases;
  private final Supplier<Duration> pause;
  private final Signal signal = new Signal();
  private volatile boolean claiming = true;

  /**
   * Claims nothing until it runs.
   *
   * @param pause returns how long to wait for a signal before the queue is checked without one
   */
  QueueWorker(Lanes lanes, Slots slots, Leases leases, Supplier<Duration> pause) {
    this.log =
        new PeriodicTaskLog(
            LoggerFactory.getLogger(QueueWorker.class),
            "the claim of jobs from queue " + lanes.queue());
    this.lanes = lanes;
    this.slots = slots;
    this.leases = leases;
    this.pause = pause;
  }

  /** Claims until it is stopped or its thread is interrupted. */
  @Override
  public void run() {
    try {
      while (claiming) {
        if (!claim()) {
          signal.await(pause.get());
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
      log.succeeded();
      leases.claimed(claimed.jobs(), sentAt, slots::take);
      return claimed.more();
    } catch (JobsException e) {
      leases.claimFailed(e);
      log.failed(e);
      return false;
    } catch (RuntimeException e) { // Nothing may end the only claiming thread.
      log.failed(e);
      return false;
    }
  }
}
