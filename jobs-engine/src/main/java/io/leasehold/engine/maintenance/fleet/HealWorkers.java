package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import org.jooq.DSLContext;

/**
 * Sets heartbeats that lie in the future to now, because the database's clock was set back. A
 * worker that is gone then becomes stale in time.
 */
final class HealWorkers {

  private HealWorkers() {}

  /** Returns how many heartbeats were corrected. */
  static int heal(DSLContext tx) {
    return tx.update(WORKER)
        .set(WORKER.SEEN_AT, currentOffsetDateTime())
        .where(WORKER.SEEN_AT.gt(currentOffsetDateTime()))
        .execute();
  }
}
