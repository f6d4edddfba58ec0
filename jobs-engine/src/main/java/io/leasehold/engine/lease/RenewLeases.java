package io.leasehold.engine.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.LEASES;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.leasehold.engine.claim.WorkerId;
import io.leasehold.jobs.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Extends the leases of a worker, all in one statement. A row that another statement holds is
 * skipped: a transaction that is about to end its job must not hold up the others' renewal.
 */
final class RenewLeases {

  private RenewLeases() {}

  /** Answers those that were extended: another one is lost, or held by somebody at this moment. */
  static Set<JobId> renew(
      DSLContext tx, WorkerId worker, Duration lease, Collection<HeldLease> held) {
    var its =
        LEASES.call(
            held.stream().map(one -> one.id().value()).toArray(UUID[]::new),
            held.stream().map(HeldLease::token).toArray(Long[]::new));
    var mine =
        name("mine")
            .asMaterialized(
                select(LEASE.rowid().as("place"))
                    .from(LEASE)
                    .join(its)
                    .on(Fence.holds(worker, its.ID, its.TOKEN))
                    .forUpdate()
                    .of(LEASE)
                    .skipLocked());
    return Set.copyOf(
        tx.with(mine)
            .update(LEASE)
            .set(LEASE.LOCKED_UNTIL, currentOffsetDateTime().add(DayToSecond.valueOf(lease)))
            .from(table(name("mine")))
            .where(LEASE.rowid().eq(field(name("mine", "place"), SQLDataType.ROWID)))
            .returning(LEASE.ID)
            .fetch(LEASE.ID));
  }
}
