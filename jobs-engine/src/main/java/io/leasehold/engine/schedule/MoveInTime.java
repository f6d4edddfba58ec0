package io.leasehold.engine.schedule;

import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.schedule.MoveDueJobs.Moved;
import io.leasehold.engine.submit.WakeUps;
import io.leasehold.engine.watch.JobChanges;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves jobs when their time comes: sleeps until the next one is due, at most a second, since other
 * processes may have made one that is due sooner. Every process does it; a job is moved once.
 */
public final class MoveInTime implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(MoveInTime.class);

  private static final int AT_ONCE = 1_000;
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  /** What is due and was skipped is held by others, who need a moment. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);

  private final Transactions transactions;
  private final WakeUps wakeUps;
  private final Alarm alarm;
  private final RandomGenerator random;
  private final SignsOfLife signs;
  private final JobChanges changes;

  @Inject
  MoveInTime(
      Transactions transactions,
      WakeUps wakeUps,
      Alarm alarm,
      RandomGenerator random,
      SignsOfLife signs,
      JobChanges changes) {
    this.transactions = transactions;
    this.wakeUps = wakeUps;
    this.alarm = alarm;
    this.random = random;
    this.signs = signs;
    this.changes = changes;
  }

  /** Moves jobs until the thread is interrupted. */
  @Override
  public void run() {
    try {
      while (true) {
        alarm.await(pause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration pause() {
    try {
      move();
      var next = transactions.asEngine(NextDue::in);
      signs.databaseAnswered();
      return next.map(this::bounded).orElseGet(this::longest);
    } catch (JobsException e) {
      signs.databaseFailed(e);
      log.warn("the move of due jobs failed, and is tried again: {}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("the move of due jobs failed, and is tried again", e);
    }
    return longest();
  }

  /** Moves all whose time has come. */
  public void move() {
    List<Moved> moved;
    do {
      moved = transactions.asEngine(tx -> MoveDueJobs.move(tx, AT_ONCE));
      moved.stream().map(Moved::queue).distinct().forEach(wakeUps::jobsIn);
      changes.changed(moved, Moved::id);
    } while (moved.size() == AT_ONCE);
  }

  private Duration bounded(Duration next) {
    return min(longest(), next.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : next);
  }

  // Shortened by chance, so that many processes do not keep step.
  private Duration longest() {
    return Duration.ofNanos((long) (PAUSE_MAX.toNanos() * (0.8 + random.nextDouble() / 5)));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
