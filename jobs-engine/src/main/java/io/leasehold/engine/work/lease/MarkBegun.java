package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Select;

/**
 * Marks leases whose handlers have begun. It changes no key and no indexed column.
 *
 * <p>What is marked is kept, also of an attempt that is put off, and a job can be put off for ever:
 * after so many times a lease of it is marked only when its handler tells something, of which there
 * is a bound as well.
 */
public final class MarkBegun {

  /** So many attempts of a job that were put off are kept, though their handlers told nothing. */
  public static final int PUT_OFFS_MOST = 200;

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  MarkBegun(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /**
   * Answers those that were marked, or need not be; another one is lost, or held by somebody at
   * this moment.
   */
  public Set<JobId> mark(Collection<HeldLease> begun) {
    return transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(),
        tx ->
            tx.with(OwnLeases.lockedToChange(worker, begun))
                .update(LEASE)
                .set(LEASE.HANDLER_BEGUN, field(isSeen()))
                .from(table(name("mine")))
                .where(OwnLeases.ARE_LOCKED)
                .returning(LEASE.ID)
                .fetchSet(LEASE.ID));
  }

  // One that was orphaned goes on with what was seen of it already.
  private static Condition isSeen() {
    return condition(LEASE.HANDLER_BEGUN)
        .or(LEASE.FIRST_STARTED_AT.isNotNull())
        .or(notExists(lastPutOffThatIsKept()));
  }

  private static Select<?> lastPutOffThatIsKept() {
    return select(ATTEMPT.TOKEN)
        .from(ATTEMPT)
        .where(
            ATTEMPT.TENANT_ID.eq(LEASE.TENANT_ID),
            ATTEMPT.ID.eq(LEASE.ID),
            ATTEMPT.STATUS.eq(inline("put_off")))
        .orderBy(ATTEMPT.TOKEN)
        .limit(inline(1))
        .offset(inline(PUT_OFFS_MOST - 1));
  }
}
