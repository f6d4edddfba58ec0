package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import jakarta.inject.Inject;
import org.jooq.Condition;

/** Checks whether a lease of this worker can be ended without waiting for another transaction. */
public final class FindFree {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  FindFree(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /**
   * Returns false while a transaction that kept a step still holds the lease. A lost lease also
   * counts as free.
   */
  public boolean isFree(HeldLease lease) {
    Condition isHeld = Fence.holds(worker, lease.id(), lease.token());
    var free = selectOne().from(name("free"));
    var held = selectOne().from(LEASE).where(isHeld);
    return transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(),
        tx ->
            tx.with(
                    name("free")
                        .asMaterialized(
                            select(LEASE.ID).from(LEASE).where(isHeld).forUpdate().skipLocked()))
                .select(field(exists(free).or(notExists(held))))
                .fetchSingle()
                .value1());
  }
}
