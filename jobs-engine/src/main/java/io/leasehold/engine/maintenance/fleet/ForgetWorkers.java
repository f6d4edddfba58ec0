package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.leasehold.engine.kernel.WorkerId;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Removes workers from the registry. */
final class ForgetWorkers {

  private ForgetWorkers() {}

  /**
   * Removes workers that have been silent for {@code silent}, and returns how many were removed.
   */
  static int silentFor(DSLContext tx, Duration silent) {
    return tx.deleteFrom(WORKER)
        .where(WORKER.SEEN_AT.lt(currentOffsetDateTime().sub(DayToSecond.valueOf(silent))))
        .execute();
  }

  /** Removes a worker that shuts down normally. */
  static void one(DSLContext tx, WorkerId worker) {
    tx.deleteFrom(WORKER).where(WORKER.ID.eq(worker.value())).execute();
  }
}
