package io.leasehold.engine.time.delayed;

import static io.leasehold.db.schema.Routines.healedDue;
import static io.leasehold.db.schema.Tables.SCHEDULED;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Heals the delays of jobs whose time of writing lies in the future, because the database's clock
 * has gone back since. Locked rows are skipped. Uses {@code scheduled_when_written}.
 */
final class HealDelays {

  /** A clock may be corrected by this much, and two transactions' times may differ by it. */
  private static final DayToSecond SECOND = new DayToSecond(0, 0, 0, 1);

  private static final Field<OffsetDateTime> NOW =
      function(name("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE);

  private HealDelays() {}

  /** Heals up to {@code limit} delays, and returns how many. */
  static int heal(DSLContext tx, int limit) {
    var ahead =
        name("ahead")
            .asMaterialized(
                select(SCHEDULED.rowid().as("place"))
                    .from(SCHEDULED)
                    // The transaction may have begun long ago, and an index needs a stable time.
                    .where(
                        SCHEDULED.WRITTEN_AT.gt(currentOffsetDateTime().add(SECOND)),
                        SCHEDULED.WRITTEN_AT.gt(NOW))
                    .orderBy(SCHEDULED.WRITTEN_AT, SCHEDULED.ID)
                    .limit(limit)
                    .forNoKeyUpdate()
                    .skipLocked());
    return tx.with(ahead)
        .update(SCHEDULED)
        .set(SCHEDULED.AVAILABLE_AT, healedDue(SCHEDULED.AVAILABLE_AT, SCHEDULED.WRITTEN_AT))
        .set(SCHEDULED.WRITTEN_AT, NOW)
        .from(table(name("ahead")))
        .where(SCHEDULED.rowid().eq(field(name("ahead", "place"), SQLDataType.ROWID)))
        .execute();
  }
}
