package io.leasehold.engine.maintenance.cancels;

import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;
import static io.leasehold.db.schema.Tables.EVENT;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static io.leasehold.db.schema.Tables.PLACE_BETWEEN;
import static io.leasehold.db.schema.Tables.READY;
import static io.leasehold.db.schema.Tables.SCHEDULED;
import static io.leasehold.db.schema.Tables.WAITING;
import static org.jooq.impl.DSL.boolOr;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.jsonObject;
import static org.jooq.impl.DSL.key;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;

import io.leasehold.db.schema.tables.CancelRequest;
import io.leasehold.db.schema.tables.Outcome;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.time.OffsetDateTime;
import java.util.Set;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.ResultQuery;
import org.jooq.RowId;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Ends waiting jobs that were cancelled or deleted while they ran, and that returned to the queue
 * before their worker noticed. Uses one statement per state. A job that another statement holds is
 * skipped: it is being claimed, moved or withdrawn, and is checked again later.
 */
final class CancelWaiting {

  private static final CancelRequest ASKED = CANCEL_REQUEST.as("asked");
  private static final Outcome TAKEN = OUTCOME.as("taken");
  private static final Field<RowId> PLACE = field(name("picked", "place"), SQLDataType.ROWID);
  private static final Field<Boolean> THEN_DELETE =
      field(name("picked", "then_delete"), SQLDataType.BOOLEAN);
  private static final Condition IS_REMOVED =
      condition(field(name("taken", "then_delete"), SQLDataType.BOOLEAN));

  /** The final status: failed for a job that will be deleted, otherwise cancelled. */
  private static final Field<String> STATUS =
      when(IS_REMOVED, inline("failed")).otherwise(inline("cancelled"));

  private static final Field<String> ERROR = when(IS_REMOVED, inline(Ending.Removed.ERROR));

  private CancelWaiting() {}

  /** A table of waiting jobs, and the columns that are read from it. */
  private record State(
      Table<?> table,
      Field<TenantId> tenant,
      Field<JobId> id,
      Field<Short> attempts,
      Field<OffsetDateTime> startedAt) {}

  /** Ends claimable jobs and returns them. Uses {@code ready_in_turn}. */
  static Set<JobId> cancelReady(DSLContext tx, int limit) {
    var picked =
        select(READY.rowid().as("place"), ASKED.THEN_DELETE)
            .from(table(name("asked")))
            .join(JOB)
            .on(JOB.TENANT_ID.eq(ASKED.TENANT_ID), JOB.ID.eq(ASKED.ID))
            .join(READY)
            .on(
                READY.QUEUE.eq(JOB.QUEUE),
                READY.TENANT_ID.eq(JOB.TENANT_ID),
                READY.PRIORITY.eq(JOB.PRIORITY),
                READY.ID.eq(JOB.ID))
            .orderBy(READY.ID)
            .limit(limit)
            .forUpdate()
            .of(READY)
            .skipLocked();
    return end(
        tx, picked, new State(READY, READY.TENANT_ID, READY.ID, READY.ATTEMPTS, READY.STARTED_AT));
  }

  /** Ends jobs that are due later, and returns them. */
  static Set<JobId> cancelScheduled(DSLContext tx, int limit) {
    return end(
        tx,
        limit,
        new State(
            SCHEDULED,
            SCHEDULED.TENANT_ID,
            SCHEDULED.ID,
            SCHEDULED.ATTEMPTS,
            SCHEDULED.STARTED_AT));
  }

  /** Ends jobs that wait for other jobs, and returns them. */
  static Set<JobId> cancelWaiting(DSLContext tx, int limit) {
    return end(
        tx,
        limit,
        new State(WAITING, WAITING.TENANT_ID, WAITING.ID, WAITING.ATTEMPTS, WAITING.STARTED_AT));
  }

  private static Set<JobId> end(DSLContext tx, int limit, State state) {
    var picked =
        select(state.table().rowid().as("place"), ASKED.THEN_DELETE)
            .from(table(name("asked")))
            .join(state.table())
            .on(state.id().eq(ASKED.ID), state.tenant().eq(ASKED.TENANT_ID))
            .orderBy(state.id())
            .limit(limit)
            .forUpdate()
            .of(state.table())
            .skipLocked();
    return end(tx, picked, state);
  }

  // Adds to the job's history. No other transaction adds events while this one holds the job's row.
  private static CommonTableExpression<?> told() {
    var place = PLACE_BETWEEN.call(TAKEN.ID);
    return name("told")
        .as(
            insertInto(
                    EVENT,
                    EVENT.TENANT_ID,
                    EVENT.ID,
                    EVENT.TOKEN,
                    EVENT.NUMBER,
                    EVENT.TOLD_AT,
                    EVENT.KIND,
                    EVENT.ATTEMPT,
                    EVENT.BODY)
                .select(
                    select(
                            TAKEN.TENANT_ID,
                            TAKEN.ID,
                            place.TOKEN,
                            place.NUMBER,
                            currentOffsetDateTime(),
                            STATUS,
                            TAKEN.ATTEMPTS,
                            jsonObject(key("error").value(ERROR)).absentOnNull())
                        .from(name("taken"))
                        .crossJoin(lateral(place)))
                .returning(EVENT.ID));
  }

  private static CommonTableExpression<?> taken(State state) {
    return name("taken")
        .as(
            deleteFrom(state.table())
                .using(table(name("picked")))
                .where(state.table().rowid().eq(PLACE))
                .returning(
                    state.tenant(), state.id(), state.attempts(), state.startedAt(), THEN_DELETE));
  }

  private static Set<JobId> end(DSLContext tx, ResultQuery<?> picked, State state) {
    return tx.with(
            name("asked")
                .asMaterialized(
                    select(
                            CANCEL_REQUEST.TENANT_ID,
                            CANCEL_REQUEST.ID,
                            boolOr(CANCEL_REQUEST.THEN_DELETE).as(CANCEL_REQUEST.THEN_DELETE))
                        .from(CANCEL_REQUEST)
                        .groupBy(CANCEL_REQUEST.TENANT_ID, CANCEL_REQUEST.ID)))
        .with(name("picked").asMaterialized(picked))
        .with(taken(state))
        .with(told())
        .insertInto(
            OUTCOME,
            OUTCOME.TENANT_ID,
            OUTCOME.ID,
            OUTCOME.STATUS,
            OUTCOME.FINISHED_AT,
            OUTCOME.STARTED_AT,
            OUTCOME.ATTEMPTS,
            OUTCOME.ERROR)
        .select(
            select(
                    TAKEN.TENANT_ID,
                    TAKEN.ID,
                    STATUS,
                    currentOffsetDateTime(),
                    TAKEN.STARTED_AT,
                    TAKEN.ATTEMPTS,
                    ERROR)
                .from(name("taken")))
        .returning(OUTCOME.ID)
        .fetchSet(OUTCOME.ID);
  }
}
