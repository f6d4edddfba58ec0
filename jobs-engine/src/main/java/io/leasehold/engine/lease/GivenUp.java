package io.leasehold.engine.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.LEASES;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.claim.WorkerId;
import java.util.Collection;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.impl.SQLDataType;

/** The part of a statement that takes leases away from the worker that holds them. */
final class GivenUp {

  static final Lease LEASES_GIVEN_UP = LEASE.as("given_up");

  private GivenUp() {}

  /**
   * Deletes those that are still the worker's own, under the name {@code given_up}. One that
   * another statement holds is skipped: it is being ended, and to wait for several of them one
   * after the other, while a batch of endings does the same, is a deadlock.
   */
  static CommonTableExpression<?> by(WorkerId worker, Collection<HeldLease> held) {
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
    return name("given_up")
        .as(
            with(mine)
                .delete(LEASE)
                .using(table(name("mine")))
                .where(LEASE.rowid().eq(field(name("mine", "place"), SQLDataType.ROWID)))
                .returning(LEASE.TENANT_ID, LEASE.ID, LEASE.ATTEMPT, LEASE.STARTED_AT));
  }
}
