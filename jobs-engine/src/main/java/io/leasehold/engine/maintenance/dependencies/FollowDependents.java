package io.leasehold.engine.maintenance.dependencies;

import static io.leasehold.db.schema.Tables.WAITING;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.maintenance.dependencies.SettleNotes.Settled;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to what is left to do for jobs that wait for others: at once when this process knows of
 * something, and at least every second, since a process that knew of something may be gone. Every
 * process does it. Where no engine runs, whoever asks does it.
 */
public final class FollowDependents implements Dependents, Runnable {

  private static final Logger log = LoggerFactory.getLogger(FollowDependents.class);

  private static final int AT_ONCE = 1_000;
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  /** What is held by others at this moment is taken up again after a tenth of a second. */
  private static final Duration PAUSE_SOON = Duration.ofMillis(120);

  private static final int OVERDUE_MOST = 10_000;

  /** Where some wait, and others end for which nobody does, looks are that far apart at least. */
  private static final Duration PAUSE_IDLE = Duration.ofMillis(20);

  private final PeriodicTaskLog failures = new PeriodicTaskLog(log, "the look at waiting jobs");
  private final Transactions transactions;
  private final Provider<WakeUps> wakeUps; // These wake the worker, which ends jobs.
  private final JobChanges changes;
  private final RandomGenerator random;
  private final Semaphore news = new Semaphore(0);

  /** Whether some job waits for others, as far as is known: within a second it is. */
  private volatile boolean some;

  private volatile boolean running;

  /** When overdue notes were last counted; only the running thread counts. */
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

  /** Settles what there is until the thread is interrupted. */
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
            news.tryAcquire(shortened(any || heard ? PAUSE_SOON : PAUSE_MAX), TimeUnit.NANOSECONDS);
        news.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running = false;
    }
  }

  // Answers whether there was anything.
  private boolean settleIfPossible() {
    try {
      some = transactions.asEngine(ONE, tx -> tx.fetchExists(WAITING));
      var any = settle();
      if (running) { // Else this is a caller's thread, which has no time for it.
        warnOfOverdue();
      }
      failures.succeeded();
      return any;
    } catch (RuntimeException e) {
      failures.failed(e);
      return false;
    }
  }

  /** Settles all that is due; answers whether there was anything. */
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

  // Something keeps this process and all others from settling: nothing else would show it.
  private void warnOfOverdue() {
    if (System.nanoTime() - countedAt < OverdueNotes.LATE.toNanos()) {
      return;
    }
    countedAt = System.nanoTime();
    var overdue = transactions.asEngine(ONE, tx -> OverdueNotes.count(tx, OVERDUE_MOST));
    if (overdue > 0) {
      log.warn(
          "{} notes about jobs that wait for others are overdue by {} or more:"
              + " these jobs start late until the database keeps up",
          overdue,
          OverdueNotes.LATE);
    }
  }

  // Shortened by chance, so that many processes do not keep step.
  private long shortened(Duration pause) {
    return (long) (pause.toNanos() * (0.9 + random.nextDouble() / 10));
  }
}
