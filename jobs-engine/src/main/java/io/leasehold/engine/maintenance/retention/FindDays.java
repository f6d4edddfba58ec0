package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Tables.PARTITION_DAY;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.select;

import java.time.Instant;
import org.jooq.DSLContext;

/** Finds the days that have partitions, with the database's time. */
final class FindDays {

  private FindDays() {}

  static Days find(DSLContext tx) {
    var now = tx.fetchSingle(select(currentOffsetDateTime())).value1();
    return new Days(
        Instant.from(now),
        tx.select(PARTITION_DAY.DAY)
            .from(PARTITION_DAY)
            .orderBy(PARTITION_DAY.DAY)
            .fetch(PARTITION_DAY.DAY));
  }
}
