package io.leasehold.engine.maintenance.rescue;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import java.time.Duration;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Shortens leases that end later than twice their length from now, because the database's clock was
 * set back after their renewal. Each then lasts for its full length from now. A live worker
 * therefore renews its lease before {@link RescueJobs} may take it, and a lost worker's job is
 * rescued as soon as any other.
 *
 * <p>Never takes a lease from its worker: the worker counts from before it sent its renewal, and
 * this statement counts from later. A lease that another statement holds is skipped. A lease
 * without a stored length is left unchanged, because a process of an older version renewed it.
 */
public final class ShortenLeases {

  /**
   * The time at which a row is updated, and not when the transaction began. After waiting for a
   * renewal, the transaction's time would be too early.
   */
  private static final Field<OffsetDateTime> NOW =
      function(name("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);

  private static final Field<DayToSecond> LENGTH =
      inline(DayToSecond.valueOf(Duration.ofMillis(1))).mul(LEASE.LENGTH_MS);

  private ShortenLeases() {}

  /** Shortens up to {@code limit} leases and returns how many were shortened. */
  public static int shorten(DSLContext tx, int limit) {
    var tooLong =
        name("too_long")
            .asMaterialized(
                select(LEASE.rowid().as("place"))
                    .from(LEASE)
                    .where(
                        LEASE.WORKER_ID.isNotNull(),
                        LEASE.LOCKED_UNTIL.gt(NOW.add(LENGTH).add(LENGTH)))
                    .orderBy(LEASE.LOCKED_UNTIL, LEASE.ID)
                    .limit(limit)
                    .forNoKeyUpdate()
                    .skipLocked());
    return tx.with(tooLong)
        .update(LEASE)
        .set(LEASE.LOCKED_UNTIL, NOW.add(LENGTH))
        .from(table(name("too_long")))
        .where(LEASE.rowid().eq(field(name("too_long", "place"), SQLDataType.ROWID)))
        .execute();
  }
}
