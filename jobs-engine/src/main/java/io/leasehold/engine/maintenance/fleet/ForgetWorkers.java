package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.leasehold.engine.kernel.WorkerId;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Takes workers off the registry. */
final class ForgetWorkers {

  private ForgetWorkers() {}

  /** Takes off those that are long gone; answers how many. */
  static int silentFor(DSLContext tx, Duration silent) {
    return tx.deleteFrom(WORKER)
        .where(WORKER.SEEN_AT.lt(currentOffsetDateTime().sub(DayToSecond.valueOf(silent))))
        .execute();
  }

  /** Takes off one that ends as it should. */
  static void one(DSLContext tx, WorkerId worker) {
    tx.deleteFrom(WORKER).where(WORKER.ID.eq(worker.value())).execute();
  }
}
