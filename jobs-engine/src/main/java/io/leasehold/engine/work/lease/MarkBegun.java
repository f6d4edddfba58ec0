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
 * Marks leases whose handlers have begun. The update changes no key and no indexed column.
 *
 * <p>A marked attempt is recorded even if it is put off, and a job can be put off forever. After
 * {@link #PUT_OFFS_MOST} such attempts, a lease of the job is marked only when its handler reports
 * something; the number of those reports is limited as well.
 */
public final class MarkBegun {

  /** The maximum number of put-off attempts recorded per job when its handlers report nothing. */
  public static final int PUT_OFFS_MOST = 200;

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  MarkBegun(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /**
   * Returns the jobs that were marked or need no mark. Any other lease is lost, or locked by
   * another statement at this moment.
   */
  public Set<JobId> mark(Collection<HeldLease> begun) {
    return transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(),
        tx ->
            tx.with(OwnLeases.locked(worker, begun))
                .update(LEASE)
                .set(LEASE.HANDLER_BEGUN, field(isSeen()))
                .from(table(name("mine")))
                .where(OwnLeases.ARE_LOCKED)
                .returning(LEASE.ID)
                .fetchSet(LEASE.ID));
  }

  // An orphaned attempt continues with the traces it has already left.
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
