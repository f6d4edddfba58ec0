package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.ORPHAN_LOST_JOBS;

import io.leasehold.jobs.JobId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Records;

/**
 * Detaches lost workers from leases whose jobs continue without them. The lease stays, with a new
 * token that no worker has, until a worker adopts it. The lost worker's part of the attempt is
 * recorded. A lease that another statement holds is skipped.
 */
public final class OrphanJobs {

  private OrphanJobs() {}

  /**
   * A job without a worker.
   *
   * @param id the id of the job
   * @param queue the queue whose workers may adopt the job
   */
  public record Orphan(JobId id, String queue) {}

  /** Takes leases from workers that did not renew them. */
  public static List<Orphan> lost(DSLContext tx, int limit) {
    var orphaned = ORPHAN_LOST_JOBS.call(limit, (int) LostWorker.BEYOND_MAX);
    return tx.select(orphaned.ID, orphaned.QUEUE)
        .from(orphaned)
        .fetch(Records.mapping(Orphan::new));
  }
}
