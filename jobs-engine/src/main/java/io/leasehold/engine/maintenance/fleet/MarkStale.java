package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Marks workers that have been silent for too long. A new heartbeat removes the mark. */
final class MarkStale {

  private MarkStale() {}

  /** Returns how many workers were marked. */
  static int mark(DSLContext tx, Duration silent) {
    return tx.update(WORKER)
        .set(WORKER.STALE, true)
        .where(
            WORKER.STALE.isFalse(),
            WORKER.SEEN_AT.lt(currentOffsetDateTime().sub(DayToSecond.valueOf(silent))))
        .execute();
  }
}
