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
   * Deletes those that are still the worker's own, under the name {@code given_up}. One that
   * another statement holds is skipped: it is being ended, and to wait for several of them one
   * after the other, while a batch of endings does the same, is a deadlock.
   *
   * @param which of them
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
   * Keeps the attempts of which there is a sign, under the name {@code kept}: whoever reads their
   * history then goes on from what could be seen.
   *
   * @param status how they ended
   * @param retryAt when the next one is due, if it was put off
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
