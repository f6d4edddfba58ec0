package io.leasehold.engine.maintenance.dependencies;

import static io.leasehold.db.schema.Tables.WAITING;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.maintenance.dependencies.SettleNotes.Settled;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.threads.Pauses;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes pending work on jobs that wait for other jobs. Runs immediately when this process
 * learns of such work, and at least every second, since a process that knew of some may be gone.
 * Every process does this. In a process without a running engine, the calling thread does it.
 */
public final class FollowDependents implements Dependents, Runnable {

  private static final Logger log = LoggerFactory.getLogger(FollowDependents.class);

  private static final int AT_ONCE = 1_000;
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  /** Rows held by other transactions are tried again after about a tenth of a second. */
  private static final Duration PAUSE_SOON = Duration.ofMillis(120);

  private static final int OVERDUE_MOST = 10_000;

  /** Minimum interval between checks while some jobs wait, and others end that no job waits for. */
  private static final Duration PAUSE_IDLE = Duration.ofMillis(20);

  private final PeriodicTaskLog failures = new PeriodicTaskLog(log, "the check of waiting jobs");
  private final Transactions transactions;
  private final Provider<WakeUps> wakeUps; // These wake the worker, which ends jobs.
  private final JobChanges changes;
  private final RandomGenerator random;
  private final Semaphore news = new Semaphore(0);

  /** Whether some job waits for others, as far as is known. Correct within a second. */
  private volatile boolean some;

  private volatile boolean running;

  /** When overdue notes were last counted. Only the running thread counts them. */
  private long countedAt = System.nanoTime();

  @Inject
  FollowDependents(
      Transactions transactions,
      Provider<WakeUps> wakeUps,
      JobChanges changes,
      RandomGenerator random) {
    this.transactions = transactions;
    this.wakeUps = wakeUps;
    this.changes = changes;
    this.random = random;
  }

  @Override
  public void ended() {
    if (running && some) {
      news.release();
    }
  }

  @Override
  public void look() {
    some = true;
    if (running) {
      news.release();
    } else {
      settleIfPossible();
    }
  }

  /** Settles due notes until the thread is interrupted. */
  @Override
  public void run() {
    running = true;
    try {
      var heard = false;
      while (true) {
        var any = settleIfPossible();
        if (heard && !any) {
          Thread.sleep(PAUSE_IDLE);
        }
        heard =
            news.tryAcquire(
                pauseNanos(any || heard ? PAUSE_SOON : PAUSE_MAX), TimeUnit.NANOSECONDS);
        news.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running = false;
    }
  }

  // Returns whether there was anything to settle.
  private boolean settleIfPossible() {
    try {
      some = transactions.asEngine(ONE, tx -> tx.fetchExists(WAITING));
      var any = settle();
      if (running) { // Otherwise this is a caller's thread, which has no time for it.
        warnOfOverdue();
      }
      failures.succeeded();
      return any;
    } catch (RuntimeException e) {
      failures.failed(e);
      return false;
    }
  }

  /** Settles all that is due, and returns whether there was anything. */
  public boolean settle() {
    var any = false;
    Settled settled;
    do {
      settled = transactions.asEngine(ONE, tx -> SettleNotes.settle(tx, AT_ONCE));
      settled.queues().forEach(wakeUps.get()::jobsIn);
      changes.changed(settled.changed());
      any |= settled.any();
    } while (settled.any());
    return any;
  }

  // Overdue notes mean that neither this process nor any other can settle them. Nothing else would
  // show this.
  private void warnOfOverdue() {
    if (System.nanoTime() - countedAt < OverdueNotes.LATE.toNanos()) {
      return;
    }
    countedAt = System.nanoTime();
    var overdue = transactions.asEngine(ONE, tx -> OverdueNotes.count(tx, OVERDUE_MOST));
    if (overdue > 0) {
      log.warn(
          "{} notes about jobs that wait for other jobs are overdue by {} or more:"
              + " these jobs start late until the database keeps up",
          overdue,
          OverdueNotes.LATE);
    }
  }

  private long pauseNanos(Duration most) {
    return Pauses.shortened(most, 0.1, random).toNanos();
  }
}
