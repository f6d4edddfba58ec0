package io.leasehold.engine.time.delayed;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.time.delayed.MoveDueJobs.Moved;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Moves jobs when their time comes, and heals stored times that lie in the future because the
 * database's clock went back. Every process runs this task; each job is moved once.
 */
public final class MoveInTime implements Runnable {

  private static final int AT_ONCE = 1_000;
  private static final Duration HEAL_EVERY = Duration.ofSeconds(10);
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final WakeUps wakeUps;
  private final WatchClock watchClock;
  private final JobChanges changes;
  private final InTime inTime;

  /** Used by the moving thread only. */
  private long healedAt = System.nanoTime() - HEAL_EVERY.toNanos();

  @Inject
  MoveInTime(
      Transactions transactions,
      WakeUps wakeUps,
      Alarm alarm,
      RandomGenerator random,
      WatchClock watchClock,
      JobChanges changes) {
    this.transactions = transactions;
    this.wakeUps = wakeUps;
    this.watchClock = watchClock;
    this.changes = changes;
    this.inTime = new InTime("the move of due jobs", alarm, random, this::moveAndLook);
  }

  /** Moves jobs until the thread is interrupted. */
  @Override
  public void run() {
    inTime.run();
  }

  private Optional<Duration> moveAndLook() {
    // The clock is checked first: that check records how far ahead the delays are, and they are
    // healed afterwards.
    return watchClock.lookBefore(
        mayBeAhead -> {
          if (mayBeAhead || System.nanoTime() - healedAt >= HEAL_EVERY.toNanos()) {
            healDelays();
          }
          move();
          return transactions.asEngine(ONE, NextDue::in);
        });
  }

  /** Moves all jobs whose time has come. */
  public void move() {
    List<Moved> moved;
    do {
      moved = transactions.asEngine(ONE, tx -> MoveDueJobs.move(tx, AT_ONCE));
      moved.stream().map(Moved::queue).distinct().forEach(wakeUps::jobsIn);
      changes.changed(moved, Moved::id);
    } while (moved.size() == AT_ONCE);
  }

  // This runs every ten seconds even without a known step of the clock, since perhaps no process
  // was running when the clock went back.
  private void healDelays() {
    healedAt = System.nanoTime();
    var healed = AT_ONCE;
    while (healed == AT_ONCE) {
      healed = transactions.asEngine(ONE, tx -> HealDelays.heal(tx, AT_ONCE));
    }
  }
}
