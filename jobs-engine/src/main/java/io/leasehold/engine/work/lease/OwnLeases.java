package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.LEASES;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.schema.tables.Leases;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import java.util.Collection;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.impl.SQLDataType;

/** The leases of a worker, as parts of the statements that renew and mark them. */
final class OwnLeases {

  /** True in {@code lease} for the rows that {@link #locked} found. */
  static final Condition ARE_LOCKED =
      LEASE.rowid().eq(field(name("mine", "place"), SQLDataType.ROWID));

  private OwnLeases() {}

  static UUID[] ids(Collection<HeldLease> held) {
    return held.stream().map(lease -> lease.id().value()).toArray(UUID[]::new);
  }

  static Long[] tokens(Collection<HeldLease> held) {
    return held.stream().map(HeldLease::token).toArray(Long[]::new);
  }

  /** Returns the leases that the worker was given, as rows. */
  static Leases rows(Collection<HeldLease> held) {
    return LEASES.call(ids(held), tokens(held));
  }

  /**
   * Finds and locks the leases that still belong to the worker, to update them, under the name
   * {@code mine}. A lease that another statement holds is skipped. This lock is compatible with the
   * one that the job's own handler holds in a longer transaction.
   */
  static CommonTableExpression<?> locked(WorkerId worker, Collection<HeldLease> held) {
    var given = rows(held);
    return name("mine")
        .asMaterialized(
            select(LEASE.rowid().as("place"))
                .from(LEASE)
                .join(given)
                .on(Fence.holds(worker, given.ID, given.TOKEN))
                .forNoKeyUpdate()
                .of(LEASE)
                .skipLocked());
  }
}
