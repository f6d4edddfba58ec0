package io.leasehold.engine.work.claim;

import static io.leasehold.db.schema.Sequences.LEASE_TOKEN;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.update;

import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.ClaimedJob.Begun;
import io.leasehold.jobs.HandlerId;
import java.time.Duration;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Takes over leases that have no worker, in one statement. The rows stay in {@code lease}, with the
 * same attempt and a new token.
 *
 * <p>Uses the index {@code lease_without_a_worker}, which is nearly always empty. Rows that another
 * statement has locked are skipped.
 */
final class AdoptJobs {

  private static final double MILLIS = 1e3;

  private static final Lease ADOPTED = LEASE.as("adopted");
  private static final Field<Double> RAN_BEFORE =
      function(
          name("date_part"),
          SQLDataType.DOUBLE,
          inline("epoch"),
          ADOPTED.ATTEMPT_STARTED_AT.sub(ADOPTED.FIRST_STARTED_AT));

  private static final StoredJob STORED = new StoredJob(JOB, StoredJob.problem(JOB));

  private AdoptJobs() {}

  /** Adopts up to {@code limit} jobs, the longest waiting first. */
  static List<ClaimedJob> adopt(DSLContext tx, Claimant claimant, int limit) {
    return tx.with(picked(claimant, limit))
        .with(adopted(claimant))
        .select(STORED.columns())
        .select(ADOPTED.TOKEN, ADOPTED.ATTEMPT, ADOPTED.FIRST_TOKEN, RAN_BEFORE)
        .from(name("adopted"))
        .join(JOB)
        .on(JOB.TENANT_ID.eq(ADOPTED.TENANT_ID), JOB.ID.eq(ADOPTED.ID))
        .orderBy(JOB.ID)
        .fetch(
            row ->
                STORED
                    .read(row, row.get(ADOPTED.TOKEN), row.get(ADOPTED.ATTEMPT))
                    .adopted(begun(row)));
  }

  // Negative if the database's clock was set back; the elapsed time then counts as zero.
  private static Begun begun(Record row) {
    var ran = Duration.ofMillis((long) (Math.max(0, row.get(RAN_BEFORE)) * MILLIS));
    return new Begun(row.get(ADOPTED.FIRST_TOKEN), ran);
  }

  private static CommonTableExpression<?> picked(Claimant claimant, int limit) {
    var handlers = claimant.adopting().stream().map(HandlerId::value).toArray(String[]::new);
    return name("picked")
        .asMaterialized(
            select(LEASE.rowid().as("place"))
                .from(LEASE)
                .join(JOB)
                .on(JOB.TENANT_ID.eq(LEASE.TENANT_ID), JOB.ID.eq(LEASE.ID))
                .where(
                    LEASE.WORKER_ID.isNull(),
                    JOB.QUEUE.eq(claimant.queue()),
                    JOB.HANDLER_ID.eq(any(handlers)))
                .orderBy(LEASE.LOCKED_UNTIL, LEASE.ID)
                .limit(limit)
                .forUpdate()
                .of(LEASE)
                .skipLocked());
  }

  private static CommonTableExpression<?> adopted(Claimant claimant) {
    var now = currentOffsetDateTime();
    return name("adopted")
        .as(
            update(LEASE)
                .set(LEASE.WORKER_ID, claimant.worker().value())
                .set(LEASE.TOKEN, LEASE_TOKEN.nextval())
                .set(LEASE.LOCKED_UNTIL, now.add(DayToSecond.valueOf(claimant.lease())))
                .set(LEASE.LENGTH_MS, Math.toIntExact(claimant.lease().toMillis()))
                .set(LEASE.ATTEMPT_STARTED_AT, now)
                .from(table(name("picked")))
                .where(LEASE.rowid().eq(field(name("picked", "place"), SQLDataType.ROWID)))
                .returning(LEASE.fields()));
  }
}
