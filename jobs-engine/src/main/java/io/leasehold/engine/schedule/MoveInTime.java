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
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Moves jobs when their time comes. Every process does it; a job is moved once. */
public final class MoveInTime implements Runnable {

  private static final int AT_ONCE = 1_000;

  private final Transactions transactions;
  private final WakeUps wakeUps;
  private final SignsOfLife signs;
  private final JobChanges changes;
  private final InTime inTime;

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
    this.signs = signs;
    this.changes = changes;
    this.inTime = new InTime("the move of due jobs", alarm, random, this::moveAndLook);
  }

  /** Moves jobs until the thread is interrupted. */
  @Override
  public void run() {
    inTime.run();
  }

  private Optional<Duration> moveAndLook() {
    try {
      move();
      var next = transactions.asEngine(NextDue::in);
      signs.databaseAnswered();
      return next;
    } catch (JobsException e) {
      signs.databaseFailed(e);
      throw e;
    }
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
}
