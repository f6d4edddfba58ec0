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

/** Looks whether a lease of this worker can be ended without waiting for anybody. */
public final class FindFree {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  FindFree(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /**
   * Not while a transaction holds it in which a step was kept. One that is lost is free as well.
   */
  public boolean isFree(HeldLease lease) {
    Condition isIts = Fence.holds(worker, lease.id(), lease.token());
    var free = selectOne().from(name("free"));
    var held = selectOne().from(LEASE).where(isIts);
    return transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(),
        tx ->
            tx.with(
                    name("free")
                        .asMaterialized(
                            select(LEASE.ID).from(LEASE).where(isIts).forUpdate().skipLocked()))
                .select(field(exists(free).or(notExists(held))))
                .fetchSingle()
                .value1());
  }
}
