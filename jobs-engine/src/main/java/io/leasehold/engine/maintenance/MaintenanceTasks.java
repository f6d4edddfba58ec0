package io.leasehold.engine.maintenance;

import static io.leasehold.db.schema.Routines.analyseDays;
import static io.leasehold.db.schema.Routines.prepareDays;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.maintenance.RescueJobs.Rescued;
import io.leasehold.engine.maintenance.cancels.FollowCancels;
import io.leasehold.engine.maintenance.fleet.Registry;
import io.leasehold.engine.maintenance.retention.PruneDays;
import io.leasehold.engine.maintenance.retention.RemoveElsewhere;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.time.delayed.WatchClock;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.engine.work.lease.OrphanJobs.Orphan;
import io.leasehold.engine.work.outputs.SweepOutputs;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recurring maintenance tasks; each method runs one of them once. */
final class MaintenanceTasks {

  private static final Logger log = LoggerFactory.getLogger(MaintenanceTasks.class);

  private static final int AT_ONCE = 1_000;
  private static final Duration A_DAY = Duration.ofDays(1);
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final TransactionOptions SHORT =
      TransactionOptions.defaults().statementTimeout(Duration.ofSeconds(1));
  private static final TransactionOptions LONG =
      TransactionOptions.defaults()
          .statementTimeout(Duration.ofMinutes(5))
          .timeout(Duration.ofMinutes(10));

  private final Transactions transactions;
  private final WorkerId worker;
  private final WakeUps wakeUps;
  private final JobChanges changes;
  private final Dependents dependents;
  private final WatchClock watchClock;
  private final Registry registry;
  private final FollowCancels followCancels;
  private final PruneDays pruneDays;
  private final SweepOutputs sweepOutputs;
  private final RemoveElsewhere removeElsewhere;
  private final JobMeters meters;
  private final CatchUpMirrors mirrors;

  @Inject
  MaintenanceTasks(
      Transactions transactions,
      WorkerId worker,
      Listeners listeners,
      Registry registry,
      Removal removal,
      JobMeters meters) {
    this.transactions = transactions;
    this.worker = worker;
    this.wakeUps = listeners.wakeUps();
    this.changes = listeners.changes();
    this.dependents = listeners.dependents();
    this.watchClock = listeners.watchClock();
    this.registry = registry;
    this.followCancels = removal.followCancels();
    this.pruneDays = removal.pruneDays();
    this.sweepOutputs = removal.sweepOutputs();
    this.removeElsewhere = removal.removeElsewhere();
    this.meters = meters;
    this.mirrors = removal.mirrors();
  }

  /** Components that are notified of results and of the state of the database. */
  record Listeners(
      WakeUps wakeUps, JobChanges changes, Dependents dependents, WatchClock watchClock) {

    @Inject
    Listeners {}
  }

  /** Components that remove jobs, and one that updates late mirrors of jobs. */
  record Removal(
      FollowCancels followCancels,
      PruneDays pruneDays,
      SweepOutputs sweepOutputs,
      RemoveElsewhere removeElsewhere,
      CatchUpMirrors mirrors) {

    @Inject
    Removal {}
  }

  /**
   * Runs a task if this worker leads the duty. The worker then stays the leader for {@code lead}.
   */
  void asLeader(String duty, Duration lead, Runnable work) {
    if (transactions.asEngine(ONE, tx -> TakeLead.take(tx, duty, worker, lead))) {
      work.run();
    }
  }

  void rescue() {
    transactions.asEngine(tx -> ShortenLeases.shorten(tx, AT_ONCE));
    orphan();
    List<Rescued> rescued;
    do {
      rescued = transactions.asEngine(tx -> RescueJobs.rescue(tx, AT_ONCE));
      var again = rescued.stream().filter(job -> !job.isOver()).map(Rescued::queue).toList();
      meters.rescued(again.size(), rescued.size() - again.size());
      new HashSet<>(again).forEach(wakeUps::jobsIn);
      changes.changed(rescued, Rescued::id);
      if (again.size() < rescued.size()) {
        dependents.ended();
      }
    } while (rescued.size() == AT_ONCE);
  }

  private void orphan() {
    List<Orphan> orphans;
    do {
      orphans = transactions.asEngine(tx -> OrphanJobs.lost(tx, AT_ONCE));
      meters.orphaned(orphans.size());
      orphans.stream().map(Orphan::queue).distinct().forEach(wakeUps::jobsIn);
      changes.changed(orphans, Orphan::id);
    } while (orphans.size() == AT_ONCE);
  }

  void followCancels() {
    followCancels.follow();
  }

  void catchUpMirrors() {
    mirrors.catchUp();
  }

  void prune(Duration retention) {
    pruneDays.prune(retention);
  }

  boolean hasOutputs() {
    return sweepOutputs.isOn();
  }

  void sweepOutputs() {
    sweepOutputs.sweep();
  }

  boolean hasPlacesElsewhere() {
    return removeElsewhere.isOn();
  }

  void removeElsewhere() {
    removeElsewhere.remove();
  }

  void prepare(int daysAhead) {
    transactions.asEngine(tx -> tx.fetchSingle(select(prepareDays(1, daysAhead))));
  }

  // Runs once a day, in the first process that gets there. The lead is taken under a random worker
  // id that is never used again, so no worker can renew it.
  void analyse() {
    if (transactions.asEngine(tx -> TakeLead.take(tx, "analyse", WorkerId.random(), A_DAY))) {
      transactions.asEngine(LONG, tx -> tx.fetchSingle(select(analyseDays())));
    }
  }

  /** Checks whether the database responds, in a process that otherwise rarely uses it. */
  void look() {
    watchClock.look();
  }

  void signIn() {
    registry.signIn();
  }

  void tidyRegistry(Duration silent) {
    registry.tidy(silent);
  }

  /** Leaves nothing that other processes would have to wait for. */
  void leave() {
    try {
      transactions.asEngine(SHORT, tx -> GiveUpLead.all(tx, worker));
      registry.signOut();
    } catch (JobsException e) {
      log.warn("the lead could not be given up, it will expire: {}", PeriodicTaskLog.reason(e));
    }
  }
}
