package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/**
 * Extends the leases of a worker, all in one statement. A row that another statement holds is
 * skipped: a transaction that is about to end its job must not hold up the others' renewal. One in
 * which the handler kept a step goes on beside it.
 */
final class RenewLeases {

  private RenewLeases() {}

  /** Answers those that were extended: another one is lost, or held by somebody at this moment. */
  static Set<JobId> renew(
      DSLContext tx, WorkerId worker, Duration lease, Collection<HeldLease> held) {
    return Set.copyOf(
        tx.with(OwnLeases.lockedToChange(worker, held))
            .update(LEASE)
            .set(LEASE.LOCKED_UNTIL, currentOffsetDateTime().add(DayToSecond.valueOf(lease)))
            .set(LEASE.LENGTH_MS, Math.toIntExact(lease.toMillis()))
            .from(table(name("mine")))
            .where(OwnLeases.ARE_LOCKED)
            .returning(LEASE.ID)
            .fetch(LEASE.ID));
  }
}
