package io.leasehold.engine.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.LEASES;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.name;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.claim.WorkerId;
import java.util.Collection;
import java.util.UUID;
import org.jooq.CommonTableExpression;

/** The part of a statement that takes leases away from the worker that holds them. */
final class GivenUp {

  static final Lease LEASES_GIVEN_UP = LEASE.as("given_up");

  private GivenUp() {}

  /** Deletes those that are still the worker's own, under the name {@code given_up}. */
  static CommonTableExpression<?> by(WorkerId worker, Collection<HeldLease> held) {
    var its =
        LEASES.call(
            held.stream().map(one -> one.id().value()).toArray(UUID[]::new),
            held.stream().map(HeldLease::token).toArray(Long[]::new));
    return name("given_up")
        .as(
            deleteFrom(LEASE)
                .using(its)
                .where(Fence.holds(worker, its.ID, its.TOKEN))
                .returning(LEASE.TENANT_ID, LEASE.ID, LEASE.ATTEMPT, LEASE.STARTED_AT));
  }
}
