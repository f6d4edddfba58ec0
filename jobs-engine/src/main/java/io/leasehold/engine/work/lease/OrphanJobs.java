package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Sequences.LEASE_TOKEN;
import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.update;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Records;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;

/**
 * Detaches workers from leases whose jobs continue without them, in one statement. The lease stays,
 * with a new token that no worker has, until a worker adopts it. The lost worker's part of the
 * attempt is recorded.
 *
 * <p>A lease that another statement holds is skipped, as in {@code RescueJobs} and {@link
 * ReleaseJobs}, which take all other leases from their workers.
 */
public final class OrphanJobs {

  /** The leases before the update, under the name {@code found}. */
  private static final Lease FOUND = LEASE.as("found");

  private static final Lease ORPHANED = LEASE.as("orphaned");

  /**
   * True for leases that {@link #lost} takes: their jobs may be adopted and have not lost too many
   * workers.
   */
  public static final Condition GO_ON =
      LEASE.WHEN_LOST.eq(inline("adopt")).and(LEASE.WORKERS_LOST.lt(inline(LostWorker.BEYOND_MAX)));

  private OrphanJobs() {}

  /**
   * A job without a worker.
   *
   * @param id the id of the job
   * @param queue the queue whose workers may adopt the job
   */
  public record Orphan(JobId id, String queue) {}

  /** Takes leases from workers that did not renew them. */
  public static List<Orphan> lost(DSLContext tx, int limit) {
    var expired =
        select(LEASE.rowid().as("place"))
            .select(LEASE.fields())
            .from(LEASE)
            .where(
                LEASE.LOCKED_UNTIL.lt(currentOffsetDateTime()), LEASE.WORKER_ID.isNotNull(), GO_ON)
            .orderBy(LEASE.LOCKED_UNTIL, LEASE.ID)
            .limit(limit)
            .forUpdate()
            .skipLocked();
    return orphan(
        tx, expired, LEASE.WORKERS_LOST.add(inline((short) 1)), kept("lost", noCondition()));
  }

  /**
   * Takes leases that a worker gives up. If no handler has begun under a lease, here or earlier,
   * there is nothing to adopt and the lease is left to {@link ReleaseJobs}.
   *
   * @param begun whether their handlers have begun here
   */
  static List<Orphan> givenUp(
      DSLContext tx, WorkerId worker, Collection<HeldLease> held, boolean begun) {
    var leases = OwnLeases.rows(held);
    var own =
        select(LEASE.rowid().as("place"))
            .select(LEASE.fields())
            .from(LEASE)
            .join(leases)
            .on(Fence.holds(worker, leases.ID, leases.TOKEN))
            .where(goOn(LEASE, begun))
            .forUpdate()
            .of(LEASE)
            .skipLocked();
    var isSeen = begun ? noCondition() : FOUND.HANDLER_BEGUN.isTrue();
    return orphan(tx, own, LEASE.WORKERS_LOST, kept("released", isSeen));
  }

  /** True for leases whose attempts continue when their worker gives them up. */
  static Condition goOn(Lease lease, boolean begun) {
    var isAdoptable = lease.WHEN_LOST.eq(inline("adopt"));
    return begun ? isAdoptable : isAdoptable.and(lease.FIRST_STARTED_AT.isNotNull());
  }

  private static List<Orphan> orphan(
      DSLContext tx, ResultQuery<?> found, Field<Short> lost, CommonTableExpression<?> kept) {
    return tx.with(name("found").asMaterialized(found))
        .with(orphaned(lost))
        .with(kept)
        .select(ORPHANED.ID, JOB.QUEUE)
        .from(name("orphaned"))
        .join(JOB)
        .on(JOB.TENANT_ID.eq(ORPHANED.TENANT_ID), JOB.ID.eq(ORPHANED.ID))
        .fetch(Records.mapping(Orphan::new));
  }

  private static CommonTableExpression<?> orphaned(Field<Short> lost) {
    return name("orphaned")
        .as(
            update(LEASE)
                .set(LEASE.WORKER_ID, castNull(LEASE.WORKER_ID))
                .set(LEASE.TOKEN, LEASE_TOKEN.nextval())
                .set(LEASE.LOCKED_UNTIL, currentOffsetDateTime())
                .set(
                    LEASE.FIRST_STARTED_AT,
                    coalesce(LEASE.FIRST_STARTED_AT, LEASE.ATTEMPT_STARTED_AT))
                .set(LEASE.FIRST_TOKEN, coalesce(LEASE.FIRST_TOKEN, LEASE.TOKEN))
                .set(LEASE.WORKERS_LOST, lost)
                .set(LEASE.HANDLER_BEGUN, false)
                .from(table(name("found")))
                .where(LEASE.rowid().eq(field(name("found", "place"), SQLDataType.ROWID)))
                .returning(LEASE.TENANT_ID, LEASE.ID));
  }

  // Records only those found rows that were also updated: a row may have moved in between.
  private static CommonTableExpression<?> kept(String status, Condition isSeen) {
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
                    ATTEMPT.ERROR,
                    ATTEMPT.CONTINUES)
                .select(
                    select(
                            FOUND.TENANT_ID,
                            FOUND.ID,
                            FOUND.TOKEN,
                            FOUND.ATTEMPT,
                            FOUND.WORKER_ID,
                            inline(status),
                            FOUND.ATTEMPT_STARTED_AT,
                            currentOffsetDateTime(),
                            error(status),
                            inline(true))
                        .from(name("found"))
                        .join(table(name("orphaned")))
                        .on(ORPHANED.ID.eq(FOUND.ID), ORPHANED.TENANT_ID.eq(FOUND.TENANT_ID))
                        .leftJoin(WORKER)
                        .on(WORKER.ID.eq(FOUND.WORKER_ID))
                        .where(isSeen))
                .returning(ATTEMPT.ID));
  }

  private static Field<String> error(String status) {
    return status.equals("lost") ? LostWorker.error(FOUND.ATTEMPT) : castNull(SQLDataType.CLOB);
  }
}
