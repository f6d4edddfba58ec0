package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Records;
import org.jooq.types.DayToSecond;

/** Renews a worker's leases and reports which of them are lost. */
public final class KeepLeases {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  KeepLeases(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /**
   * The result of a renewal. A lease in neither set was locked by another statement at that moment.
   *
   * @param renewed jobs whose leases are valid again for the full duration
   * @param lost jobs whose leases no longer belong to this worker
   */
  public record Kept(Set<JobId> renewed, Set<JobId> lost) {
    public Kept {
      renewed = Set.copyOf(renewed);
      lost = Set.copyOf(lost);
    }
  }

  /** Renews the leases for {@code lease}, counted from now by the database. */
  public Kept renew(Collection<HeldLease> held, Duration lease) {
    return transactions.asEngine(
        tx -> {
          var renewed = RenewLeases.renew(tx, worker, lease, held);
          if (renewed.size() == held.size()) {
            return new Kept(renewed, Set.of());
          }
          var others = new HashSet<HeldLease>(held);
          others.removeIf(one -> renewed.contains(one.id()));
          var lost = new HashSet<JobId>();
          others.forEach(one -> lost.add(one.id()));
          lost.removeAll(stillHeld(tx, others));
          return new Kept(renewed, lost);
        });
  }

  /**
   * Finds leases that this worker took longer than {@code ago} before now. If the worker does not
   * know a lease, the lease comes from a claim whose answer was lost.
   */
  public List<HeldLease> takenBefore(Duration ago) {
    return transactions.asEngine(
        tx ->
            tx.select(LEASE.ID, LEASE.TOKEN)
                .from(LEASE)
                .where(
                    LEASE.WORKER_ID.eq(worker.value()),
                    LEASE.ATTEMPT_STARTED_AT.lt(
                        currentOffsetDateTime().sub(DayToSecond.valueOf(ago))))
                .fetch(Records.mapping(HeldLease::new)));
  }

  /**
   * Gives jobs back, so that other workers can claim them.
   *
   * @param begun whether their handlers have begun here
   */
  public void giveBack(Collection<HeldLease> leases, boolean begun) {
    if (!leases.isEmpty()) {
      transactions.asEngine(tx -> ReleaseJobs.release(tx, worker, leases, begun));
    }
  }

  private Set<JobId> stillHeld(DSLContext tx, Collection<HeldLease> held) {
    var leases = OwnLeases.rows(held);
    return tx.select(LEASE.ID)
        .from(LEASE)
        .join(leases)
        .on(Fence.holds(worker, leases.ID, leases.TOKEN))
        .fetchSet(LEASE.ID);
  }
}
