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
import org.jooq.SelectForUpdateStep;
import org.jooq.impl.SQLDataType;

/** The leases of a worker, as parts of the statements that renew and release them. */
final class OwnLeases {

  /** True in {@code lease} for the rows that {@link #locked} found. */
  static final Condition ARE_LOCKED =
      LEASE.rowid().eq(field(name("mine", "place"), SQLDataType.ROWID));

  private OwnLeases() {}

  /** Returns the leases that the worker was given, as rows. */
  static Leases rows(Collection<HeldLease> held) {
    return LEASES.call(
        held.stream().map(one -> one.id().value()).toArray(UUID[]::new),
        held.stream().map(HeldLease::token).toArray(Long[]::new));
  }

  /**
   * Finds and locks the leases that still belong to the worker, to take them away, under the name
   * {@code mine}. A lease that another statement holds is skipped.
   */
  static CommonTableExpression<?> locked(WorkerId worker, Collection<HeldLease> held) {
    return name("mine").asMaterialized(found(worker, held).forUpdate().of(LEASE).skipLocked());
  }

  /**
   * The same, to update them. This lock is compatible with the one that the job's own handler holds
   * in a longer transaction.
   */
  static CommonTableExpression<?> lockedToChange(WorkerId worker, Collection<HeldLease> held) {
    return name("mine").asMaterialized(found(worker, held).forNoKeyUpdate().of(LEASE).skipLocked());
  }

  private static SelectForUpdateStep<?> found(WorkerId worker, Collection<HeldLease> held) {
    var leases = rows(held);
    return select(LEASE.rowid().as("place"))
        .from(LEASE)
        .join(leases)
        .on(Fence.holds(worker, leases.ID, leases.TOKEN));
  }
}
