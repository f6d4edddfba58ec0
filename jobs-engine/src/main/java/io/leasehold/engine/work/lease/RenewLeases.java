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
 * Renews the leases of a worker in one statement. A row that another statement holds is skipped,
 * since a transaction that is about to end its job must not delay the renewal of the others. A
 * transaction in which the handler kept a step does not block the renewal.
 */
final class RenewLeases {

  private RenewLeases() {}

  /**
   * Returns the renewed jobs. Any other lease is lost, or locked by another statement at this
   * moment.
   */
  static Set<JobId> renew(
      DSLContext tx, WorkerId worker, Duration lease, Collection<HeldLease> held) {
    return Set.copyOf(
        tx.with(OwnLeases.locked(worker, held))
            .update(LEASE)
            .set(LEASE.LOCKED_UNTIL, currentOffsetDateTime().add(DayToSecond.valueOf(lease)))
            .set(LEASE.LENGTH_MS, Math.toIntExact(lease.toMillis()))
            .from(table(name("mine")))
            .where(OwnLeases.ARE_LOCKED)
            .returning(LEASE.ID)
            .fetch(LEASE.ID));
  }
}
