package io.leasehold.engine.work.steps;

import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.STEP;

import io.leasehold.engine.kernel.Fence;
import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.JSON;

/** Reads all finished steps of a job, under the fence. Uses {@code step_is_done_once}. */
final class LoadSteps {

  private LoadSteps() {}

  /** Returns the result of each step, by name. */
  static Map<String, JSON> load(DSLContext tx, Holder holder) {
    var rows =
        tx.select(STEP.NAME, STEP.VALUE)
            .from(LEASE)
            .leftJoin(STEP)
            .on(STEP.ID.eq(LEASE.ID), STEP.TENANT_ID.eq(LEASE.TENANT_ID))
            .where(Fence.holds(holder.worker(), holder.id(), holder.token()))
            .fetch();
    if (rows.isEmpty()) {
      throw holder.lost();
    }
    var steps = new HashMap<String, JSON>();
    for (var row : rows) {
      if (row.value1() != null) { // Only the lease was found: no step is done.
        steps.put(row.value1(), row.value2());
      }
    }
    return steps;
  }
}
