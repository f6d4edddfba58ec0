package io.leasehold.engine.maintenance.cancels;

import static io.leasehold.db.schema.Tables.END_CANCELLED_JOBS;

import io.leasehold.engine.work.finish.Ending;
import io.leasehold.jobs.JobId;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * Ends waiting jobs that were cancelled or deleted while they ran, and that returned to the queue
 * before their worker noticed. A job that another statement holds is skipped: it is being claimed,
 * moved or withdrawn, and is checked again later.
 */
final class CancelWaiting {

  private CancelWaiting() {}

  /** Ends up to {@code limit} jobs of each waiting state, and returns them. */
  static Set<JobId> cancel(DSLContext tx, int limit) {
    var ended = END_CANCELLED_JOBS.call(limit, Ending.Removed.ERROR);
    return tx.select(ended.ID).from(ended).fetchSet(ended.ID);
  }
}
