package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import org.jooq.DSLContext;

/**
 * Has workers that were seen at a time which has yet to come count as seen now: the database's
 * clock went back since. One that is gone is stale in time, then.
 */
final class HealWorkers {

  private HealWorkers() {}

  /** Answers how many there were. */
  static int heal(DSLContext tx) {
    return tx.update(WORKER)
        .set(WORKER.SEEN_AT, currentOffsetDateTime())
        .where(WORKER.SEEN_AT.gt(currentOffsetDateTime()))
        .execute();
  }
}
