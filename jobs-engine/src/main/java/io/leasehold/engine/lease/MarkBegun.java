package io.leasehold.engine.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.Set;

/** Marks leases whose handlers have begun. It changes no key and no indexed column. */
public final class MarkBegun {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  MarkBegun(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /** Answers those that were marked; another one is lost, or held by somebody at this moment. */
  public Set<JobId> mark(Collection<HeldLease> begun) {
    return transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(),
        tx ->
            tx.with(OwnLeases.lockedToChange(worker, begun))
                .update(LEASE)
                .set(LEASE.BEGUN, true)
                .from(table(name("mine")))
                .where(OwnLeases.ARE_LOCKED)
                .returning(LEASE.ID)
                .fetchSet(LEASE.ID));
  }
}
