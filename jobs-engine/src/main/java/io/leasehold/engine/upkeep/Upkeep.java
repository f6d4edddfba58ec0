package io.leasehold.engine.upkeep;

import static io.leasehold.db.schema.Routines.prepareDays;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.lease.RescueJobs;
import io.leasehold.engine.run.Chore;
import io.leasehold.engine.schedule.MoveDueJobs;
import io.leasehold.engine.submit.WakeUps;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Keeps the queue in order: moves jobs that are due, rescues those of lost workers, and makes room
 * for the days to come. Every process may do it; all of it is harmless if several do.
 */
public final class Upkeep {

  private static final int AT_ONCE = 1_000;
  private static final Duration MOVE_EVERY = Duration.ofMillis(200);
  private static final Duration PREPARE_EVERY = Duration.ofHours(1);

  private final Transactions transactions;
  private final WorkerId worker;
  private final WakeUps wakeUps;
  private final RandomGenerator random;
  private final Duration rescueEvery;
  private final int daysAhead;
  private final List<Thread> threads = new ArrayList<>();

  @Inject
  Upkeep(
      Transactions transactions,
      WorkerId worker,
      WakeUps wakeUps,
      RandomGenerator random,
      Rhythm rhythm) {
    this.transactions = transactions;
    this.worker = worker;
    this.wakeUps = wakeUps;
    this.random = random;
    this.rescueEvery = rhythm.rescueEvery();
    this.daysAhead = rhythm.daysAhead();
  }

  /**
   * How often, and how far ahead.
   *
   * @param rescueEvery how often leases that are over are looked for
   * @param daysAhead how many days of partitions there are ahead
   */
  public record Rhythm(Duration rescueEvery, int daysAhead) {}

  /** Starts. */
  public void start() {
    keep("move", new Chore("the move of due jobs", MOVE_EVERY, random, this::moveDue));
    keep("rescue", new Chore("the rescue of lost jobs", rescueEvery, random, this::rescue));
    keep("prepare", new Chore("the making of partitions", PREPARE_EVERY, random, this::prepare));
  }

  private void keep(String name, Runnable work) {
    threads.add(Thread.ofPlatform().daemon().name(name).start(work));
  }

  /** Stops. */
  public void stop() {
    threads.forEach(Thread::interrupt);
  }

  private void moveDue() {
    List<String> moved;
    do {
      moved = transactions.asEngine(tx -> MoveDueJobs.move(tx, AT_ONCE));
      new HashSet<>(moved).forEach(wakeUps::jobsIn);
    } while (moved.size() == AT_ONCE);
  }

  private void rescue() {
    var leads =
        transactions.asEngine(
            tx -> TakeLead.take(tx, "rescue", worker, rescueEvery.multipliedBy(2)));
    if (leads) {
      var rescued = transactions.asEngine(tx -> RescueJobs.rescue(tx, AT_ONCE));
      new HashSet<>(rescued).forEach(wakeUps::jobsIn);
    }
  }

  private void prepare() {
    transactions.asEngine(tx -> tx.fetchSingle(select(prepareDays(1, daysAhead))));
  }
}
