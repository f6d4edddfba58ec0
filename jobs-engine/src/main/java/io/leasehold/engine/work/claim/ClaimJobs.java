package io.leasehold.engine.work.claim;

import static io.leasehold.db.schema.Sequences.LEASE_TOKEN;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LANES;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.READY;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.arrayAgg;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.leasehold.db.schema.tables.Job;
import io.leasehold.db.schema.tables.Ready;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.jobs.HandlerId;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleConsumer;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Claims waiting jobs in one statement: their rows move from {@code ready} to {@code lease}.
 *
 * <p>Rows are found and locked in a materialized part, which runs once. In a subquery of IN, the
 * planner may run it once per row and take more rows than requested. Rows that other statements
 * have locked are skipped. Uses one range of {@code ready_in_turn} per lane.
 */
final class ClaimJobs {

  /** The parts of the statement, typed by the tables that their columns come from. */
  private static final Ready TAKEN = READY.as("taken");

  private static final Job FOUND = JOB.as("found");
  private static final Field<Long> TOKEN = field(name("found", "token"), SQLDataType.BIGINT);
  private static final Field<Short> ATTEMPT = field(name("found", "attempt"), SQLDataType.SMALLINT);
  private static final Field<OffsetDateTime> STARTED_AT =
      field(name("found", "started_at"), READY.STARTED_AT.getDataType());
  private static final Field<OffsetDateTime> AVAILABLE_AT =
      field(name("found", "available_at"), READY.AVAILABLE_AT.getDataType());
  private static final Field<String> PROBLEM = field(name("found", "problem"), SQLDataType.CLOB);
  private static final StoredJob STORED = new StoredJob(FOUND, PROBLEM);
  private static final Field<Double> WAITED = field(name("found", "waited"), SQLDataType.DOUBLE);

  private static final Field<Boolean> IS_MIRRORED =
      field(name("mirrored", "is_mirrored"), SQLDataType.BOOLEAN);

  private ClaimJobs() {}

  /**
   * Claims up to {@code limit} jobs, and from each lane up to the turn's share.
   *
   * @param waited receives, for each job, how many seconds the job has been claimable
   */
  static List<ClaimedJob> claim(
      DSLContext tx, Claimant claimant, List<Turn> turns, int limit, DoubleConsumer waited) {
    return tx.with(picked(claimant.queue(), turns, limit))
        .with(taken())
        .with(found())
        .with(leased(claimant))
        .with(mirrored())
        .select(STORED.columns())
        .select(TOKEN, ATTEMPT, WAITED)
        .from(name("found"))
        .where(field(select(IS_MIRRORED).from(name("mirrored"))).isDistinctFrom(false))
        .orderBy(FOUND.PRIORITY.desc(), FOUND.ID)
        .fetch(
            row -> {
              waited.accept(row.get(WAITED));
              return STORED.read(row, row.get(TOKEN), row.get(ATTEMPT));
            });
  }

  private static CommonTableExpression<?> picked(String queue, List<Turn> turns, int limit) {
    var lane =
        LANES.call(
            turns.stream().map(turn -> turn.lane().tenant().value()).toArray(UUID[]::new),
            turns.stream().map(turn -> turn.lane().priority()).toArray(Short[]::new),
            turns.stream().map(turn -> turn.lane().floor().value()).toArray(UUID[]::new),
            turns.stream().map(Turn::share).toArray(Integer[]::new));
    var first =
        select(READY.rowid().as("place"))
            .from(READY)
            .where(
                READY.QUEUE.eq(queue),
                READY.TENANT_ID.eq(lane.TENANT_ID),
                READY.PRIORITY.eq(lane.PRIORITY),
                READY.ID.ge(lane.FLOOR))
            .orderBy(READY.ID)
            .limit(lane.SHARE)
            .forUpdate()
            .skipLocked()
            .asTable("first");
    return name("picked")
        .asMaterialized(
            select(field(name("first", "place")))
                .from(lane)
                .crossJoin(lateral(first))
                .limit(limit));
  }

  private static CommonTableExpression<?> taken() {
    return name("taken")
        .as(
            deleteFrom(READY)
                .using(table(name("picked")))
                .where(READY.rowid().eq(field(name("picked", "place"), SQLDataType.ROWID)))
                .returning(
                    READY.TENANT_ID,
                    READY.ID,
                    READY.ATTEMPTS,
                    READY.AVAILABLE_AT,
                    READY.STARTED_AT));
  }

  private static CommonTableExpression<?> found() {
    return name("found")
        .asMaterialized(
            select(JOB.fields())
                .select(
                    LEASE_TOKEN.nextval().as("token"),
                    TAKEN.ATTEMPTS.add(inline((short) 1)).as("attempt"),
                    TAKEN.STARTED_AT,
                    TAKEN.AVAILABLE_AT,
                    waited().as("waited"),
                    StoredJob.problem(JOB).as("problem"))
                .from(name("taken"))
                .join(JOB)
                .on(JOB.TENANT_ID.eq(TAKEN.TENANT_ID), JOB.ID.eq(TAKEN.ID)));
  }

  // Not EXTRACT, which computes in numeric.
  private static Field<Double> waited() {
    return function(
        name("date_part"),
        SQLDataType.DOUBLE,
        inline("epoch"),
        currentOffsetDateTime().sub(TAKEN.AVAILABLE_AT));
  }

  private static CommonTableExpression<?> leased(Claimant claimant) {
    // As an uncorrelated subquery, the expression is evaluated once and not per job.
    var end = field(select(currentOffsetDateTime().add(DayToSecond.valueOf(claimant.lease()))));
    return name("leased")
        .as(
            insertInto(
                    LEASE,
                    LEASE.TENANT_ID,
                    LEASE.ID,
                    LEASE.WORKER_ID,
                    LEASE.TOKEN,
                    LEASE.ATTEMPT,
                    LEASE.LOCKED_UNTIL,
                    LEASE.LENGTH_MS,
                    LEASE.WHEN_LOST,
                    LEASE.ATTEMPT_STARTED_AT,
                    LEASE.STARTED_AT,
                    LEASE.MIRROR)
                .select(
                    select(
                            FOUND.TENANT_ID,
                            FOUND.ID,
                            val(claimant.worker().value()),
                            TOKEN,
                            ATTEMPT,
                            end,
                            val(Math.toIntExact(claimant.lease().toMillis())),
                            whenLost(claimant),
                            begin(),
                            coalesce(STARTED_AT, begin()),
                            FOUND.MIRROR)
                        .from(name("found")))
                .returning(LEASE.ID));
  }

  // Without mirrored jobs the arrays are null, and the function is not called.
  private static CommonTableExpression<?> mirrored() {
    return name("mirrored")
        .as(
            select(
                    function(
                            name("leasehold", "mirror_claimed"),
                            SQLDataType.BOOLEAN,
                            arrayAgg(FOUND.MIRROR),
                            arrayAgg(FOUND.TENANT_ID),
                            arrayAgg(FOUND.ID),
                            arrayAgg(coalesce(STARTED_AT, begin())))
                        .as(IS_MIRRORED))
                .from(name("found"))
                .where(FOUND.MIRROR.isNotNull()));
  }

  // The claim's transaction may have started before the job became available. A run must not start
  // before the build it depends on has succeeded.
  private static Field<OffsetDateTime> begin() {
    return greatest(currentOffsetDateTime(), AVAILABLE_AT);
  }

  private static Field<String> whenLost(Claimant claimant) {
    var failing = when(FOUND.HANDLER_ID.eq(any(ids(claimant.failing()))), inline("fail"));
    var adopting = claimant.adopting();
    return (adopting.isEmpty()
            ? failing
            : failing.when(FOUND.HANDLER_ID.eq(any(ids(adopting))), inline("adopt")))
        .otherwise(inline("requeue"));
  }

  private static String[] ids(Set<HandlerId> handlers) {
    return handlers.stream().map(HandlerId::value).toArray(String[]::new);
  }
}
