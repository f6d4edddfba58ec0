package io.leasehold.engine.maintenance.rescue;

import io.leasehold.db.Transactions;
import io.leasehold.engine.maintenance.rescue.RescueJobs.Rescued;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.engine.work.lease.OrphanJobs.Orphan;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.List;

/** Takes jobs from lost workers, and notifies those that wait for these jobs. */
public final class Rescue {

  private static final int AT_ONCE = 1_000;

  private final Transactions transactions;
  private final WakeUps wakeUps;
  private final JobChanges changes;
  private final Dependents dependents;
  private final JobMeters meters;

  @Inject
  Rescue(
      Transactions transactions,
      WakeUps wakeUps,
      JobChanges changes,
      Dependents dependents,
      JobMeters meters) {
    this.transactions = transactions;
    this.wakeUps = wakeUps;
    this.changes = changes;
    this.dependents = dependents;
    this.meters = meters;
  }

  /** Takes all jobs whose leases have expired. */
  public void rescue() {
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
}
