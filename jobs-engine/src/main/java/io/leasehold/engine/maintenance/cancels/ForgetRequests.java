package io.leasehold.engine.maintenance.cancels;

import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Deletes cancellation requests that are settled: the job has finished or is gone. A request that
 * also asks for deletion is kept until the job is deleted.
 */
final class ForgetRequests {

  private ForgetRequests() {}

  /** Returns how many requests were deleted. */
  static int forget(DSLContext tx, Duration age, int limit) {
    var over =
        exists(
            selectOne()
                .from(OUTCOME)
                .where(
                    OUTCOME.TENANT_ID.eq(CANCEL_REQUEST.TENANT_ID),
                    OUTCOME.ID.eq(CANCEL_REQUEST.ID)));
    var gone =
        notExists(
            selectOne()
                .from(JOB)
                .where(JOB.TENANT_ID.eq(CANCEL_REQUEST.TENANT_ID), JOB.ID.eq(CANCEL_REQUEST.ID)));
    var picked =
        name("picked")
            .asMaterialized(
                select(CANCEL_REQUEST.rowid().as("place"))
                    .from(CANCEL_REQUEST)
                    .where(
                        CANCEL_REQUEST.REQUESTED_AT.lt(
                            currentOffsetDateTime().sub(DayToSecond.valueOf(age))),
                        over.and(not(CANCEL_REQUEST.THEN_DELETE)).or(gone))
                    .orderBy(CANCEL_REQUEST.ID, CANCEL_REQUEST.REQUESTED_AT)
                    .limit(limit)
                    .forUpdate()
                    .skipLocked());
    return tx.with(picked)
        .delete(CANCEL_REQUEST)
        .using(table(name("picked")))
        .where(CANCEL_REQUEST.rowid().eq(field(name("picked", "place"), SQLDataType.ROWID)))
        .execute();
  }
}
