package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.with;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import java.time.OffsetDateTime;
import java.util.Collection;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;

/** The part of a statement that takes leases away from the worker that holds them. */
final class GivenUp {

  static final Lease LEASES_GIVEN_UP = LEASE.as("given_up");

  private GivenUp() {}

  /**
   * Deletes the leases that still belong to the worker, under the name {@code given_up}. A lease
   * that another statement holds is skipped, because its job is being ended. Waiting for several of
   * them in turn, while a batch of endings does the same, would deadlock.
   *
   * @param which a further condition on the leases
   */
  static CommonTableExpression<?> by(WorkerId worker, Collection<HeldLease> held, Condition which) {
    return name("given_up")
        .as(
            with(OwnLeases.locked(worker, held))
                .delete(LEASE)
                .using(table(name("mine")))
                .where(OwnLeases.ARE_LOCKED, which)
                .returning(LEASE.fields()));
  }

  /**
   * Records the attempts that left visible traces, under the name {@code kept}. A reader of the
   * job's history then continues from what was visible.
   *
   * @param status how the attempts ended
   * @param retryAt when the next attempt is due, if the job was put off
   */
  static CommonTableExpression<?> kept(
      String status, Condition isSeen, Field<OffsetDateTime> retryAt) {
    return name("kept")
        .as(
            insertInto(
                    ATTEMPT,
                    ATTEMPT.TENANT_ID,
                    ATTEMPT.ID,
                    ATTEMPT.TOKEN,
                    ATTEMPT.ATTEMPT_,
                    ATTEMPT.WORKER_ID,
                    ATTEMPT.STATUS,
                    ATTEMPT.STARTED_AT,
                    ATTEMPT.ENDED_AT,
                    ATTEMPT.RETRY_AT)
                .select(
                    select(
                            LEASES_GIVEN_UP.TENANT_ID,
                            LEASES_GIVEN_UP.ID,
                            LEASES_GIVEN_UP.TOKEN,
                            LEASES_GIVEN_UP.ATTEMPT,
                            LEASES_GIVEN_UP.WORKER_ID,
                            inline(status),
                            LEASES_GIVEN_UP.ATTEMPT_STARTED_AT,
                            currentOffsetDateTime(),
                            retryAt)
                        .from(name("given_up"))
                        .where(isSeen))
                .returning(ATTEMPT.ID));
  }
}
