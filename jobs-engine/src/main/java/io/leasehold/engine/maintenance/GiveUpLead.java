package io.leasehold.engine.maintenance;

import static io.leasehold.db.schema.Tables.LEADER;

import io.leasehold.engine.kernel.WorkerId;
import org.jooq.DSLContext;

/** Gives up the lead in all duties, so that another worker need not wait until it expires. */
final class GiveUpLead {

  private GiveUpLead() {}

  /** Returns how many leads were given up. */
  static int all(DSLContext tx, WorkerId worker) {
    return tx.deleteFrom(LEADER).where(LEADER.WORKER_ID.eq(worker.value())).execute();
  }
}
