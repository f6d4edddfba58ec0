package io.leasehold.engine.maintenance;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.EVENT;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static io.leasehold.db.schema.Tables.READY;
import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.jsonObject;
import static org.jooq.impl.DSL.key;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.leasehold.db.schema.tables.Job;
import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.work.lease.LostWorker;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.engine.work.mirrors.MirrorQueued;
import io.leasehold.jobs.JobId;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * Takes jobs from workers that did not renew their leases, in one statement. Their rows move from
 * {@code lease} to {@code ready} or, depending on their handlers, to {@code outcome}, and the lost
 * attempts are recorded. Jobs that continue without a worker are left to {@link OrphanJobs}.
 *
 * <p>A lease that is renewed or ended at the same moment is locked by that statement. It is
 * skipped, or checked again once it is locked here. Harmless if several processes do this at once.
 */
public final class RescueJobs {

  private static final int BEHIND_THE_END = 1_000_000_001;

  private static final Lease LOST = LEASE.as("lost");
  private static final Job LOST_JOB = JOB.as("lost");
  private static final Field<Boolean> OVER = field(name("lost", "over"), SQLDataType.BOOLEAN);
  private static final Field<String> ERROR = field(name("lost", "error"), SQLDataType.CLOB);

  private RescueJobs() {}

  /**
   * A job that was taken from its worker.
   *
   * @param id the id of the job
   * @param queue the queue of the job
   * @param isOver whether the job failed; otherwise it can be claimed again
   */
  public record Rescued(JobId id, String queue, boolean isOver) {}

  /** Returns the jobs that were taken. */
  public static List<Rescued> rescue(DSLContext tx, int limit) {
    var lost =
        tx.with(expired(limit))
            .with(taken())
            .with(judged())
            .with(kept())
            .with(failed())
            .with(told())
            .with(queued())
            .select(LOST_JOB.ID, LOST_JOB.QUEUE, OVER, LOST.MIRROR)
            .from(name("lost"))
            .fetch();
    MirrorQueued.write(tx, lost, LOST_JOB.ID, LOST.MIRROR);
    return lost.map(job -> new Rescued(job.value1(), job.value2(), job.value3()));
  }

  private static CommonTableExpression<?> expired(int limit) {
    return name("expired")
        .asMaterialized(
            select(LEASE.rowid().as("place"))
                .from(LEASE)
                .where(
                    LEASE.LOCKED_UNTIL.lt(currentOffsetDateTime()),
                    LEASE.WORKER_ID.isNotNull(),
                    not(OrphanJobs.GO_ON))
                .orderBy(LEASE.LOCKED_UNTIL, LEASE.ID)
                .limit(limit)
                .forUpdate()
                .skipLocked());
  }

  private static CommonTableExpression<?> taken() {
    return name("taken")
        .as(
            deleteFrom(LEASE)
                .using(table(name("expired")))
                .where(LEASE.rowid().eq(field(name("expired", "place"), SQLDataType.ROWID)))
                .returning(LEASE.fields()));
  }

  // The job fails on its last attempt if its handler declares so, and in any case some attempts
  // later, because the work itself may be what kills its workers. The same holds for an attempt
  // that would otherwise be adopted.
  private static CommonTableExpression<?> judged() {
    var taken = LEASE.as("taken");
    var over =
        taken
            .WHEN_LOST
            .eq(inline("fail"))
            .and(taken.ATTEMPT.ge(JOB.MAX_ATTEMPTS))
            .or(taken.WHEN_LOST.eq(inline("adopt")))
            .or(taken.ATTEMPT.ge(JOB.MAX_ATTEMPTS.add(inline(LostWorker.BEYOND_MAX))));
    return name("lost")
        .asMaterialized(
            select(taken.fields())
                .select(
                    JOB.QUEUE,
                    JOB.PRIORITY,
                    field(over).as("over"),
                    LostWorker.error(taken.ATTEMPT).as("error"))
                .from(name("taken"))
                .join(JOB)
                .on(JOB.TENANT_ID.eq(taken.TENANT_ID), JOB.ID.eq(taken.ID))
                .leftJoin(WORKER)
                .on(WORKER.ID.eq(taken.WORKER_ID)));
  }

  private static CommonTableExpression<?> kept() {
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
                    ATTEMPT.ERROR)
                .select(
                    select(
                            LOST.TENANT_ID,
                            LOST.ID,
                            LOST.TOKEN,
                            LOST.ATTEMPT,
                            LOST.WORKER_ID,
                            inline("lost"),
                            LOST.ATTEMPT_STARTED_AT,
                            currentOffsetDateTime(),
                            ERROR)
                        .from(name("lost")))
                .returning(ATTEMPT.ID));
  }

  private static CommonTableExpression<?> failed() {
    return name("failed")
        .as(
            insertInto(
                    OUTCOME,
                    OUTCOME.TENANT_ID,
                    OUTCOME.ID,
                    OUTCOME.STATUS,
                    OUTCOME.FINISHED_AT,
                    OUTCOME.STARTED_AT,
                    OUTCOME.ATTEMPTS,
                    OUTCOME.ERROR,
                    OUTCOME.MIRROR)
                .select(
                    select(
                            LOST.TENANT_ID,
                            LOST.ID,
                            inline("failed"),
                            currentOffsetDateTime(),
                            LOST.STARTED_AT,
                            LOST.ATTEMPT,
                            ERROR,
                            LOST.MIRROR)
                        .from(name("lost"))
                        .where(condition(OVER)))
                .returning(OUTCOME.ID));
  }

  // Ordered after the end of the attempt: the worker was lost, and therefore the job has failed.
  private static CommonTableExpression<?> told() {
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
                            LOST.TENANT_ID,
                            LOST.ID,
                            LOST.TOKEN,
                            inline(BEHIND_THE_END),
                            currentOffsetDateTime(),
                            inline("failed"),
                            LOST.ATTEMPT,
                            jsonObject(key("error").value(ERROR)))
                        .from(name("lost"))
                        .where(condition(OVER)))
                .returning(EVENT.ID));
  }

  private static CommonTableExpression<?> queued() {
    return name("queued")
        .as(
            insertInto(
                    READY,
                    READY.TENANT_ID,
                    READY.ID,
                    READY.QUEUE,
                    READY.PRIORITY,
                    READY.ATTEMPTS,
                    READY.AVAILABLE_AT,
                    READY.STARTED_AT)
                .select(
                    select(
                            LOST.TENANT_ID,
                            LOST.ID,
                            LOST_JOB.QUEUE,
                            LOST_JOB.PRIORITY,
                            LOST.ATTEMPT,
                            currentOffsetDateTime(),
                            LOST.STARTED_AT)
                        .from(name("lost"))
                        .where(not(OVER)))
                .returning(READY.ID));
  }
}
