package io.leasehold.engine.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.claim.WorkerId;
import java.util.Collection;
import org.jooq.CommonTableExpression;

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
    return name("given_up")
        .as(
            with(OwnLeases.locked(worker, held))
                .delete(LEASE)
                .using(table(name("mine")))
                .where(OwnLeases.ARE_LOCKED)
                .returning(LEASE.TENANT_ID, LEASE.ID, LEASE.ATTEMPT, LEASE.STARTED_AT));
  }
}
