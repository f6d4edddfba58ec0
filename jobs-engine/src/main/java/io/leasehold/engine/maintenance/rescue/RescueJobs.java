package io.leasehold.engine.maintenance.rescue;

import static io.leasehold.db.schema.Tables.RESCUE_JOBS;

import io.leasehold.engine.work.lease.LostWorker;
import io.leasehold.engine.work.lease.OrphanJobs;
import io.leasehold.jobs.JobId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Records;

/**
 * Takes jobs from workers that did not renew their leases. Their rows move from {@code lease} to
 * {@code ready} or, depending on their handlers, to {@code outcome}, and the lost attempts are
 * recorded. Jobs that continue without a worker are left to {@link OrphanJobs}.
 *
 * <p>A lease that another statement renews or ends at the same moment is skipped. Harmless if
 * several processes do this at once.
 */
public final class RescueJobs {

  private RescueJobs() {}

  /**
   * A job that was taken from its worker.
   *
   * @param id the id of the job
   * @param queue the queue of the job
   * @param isOver whether the job failed; otherwise it can be claimed again
   */
  public record Rescued(JobId id, String queue, boolean isOver) {}

  /** Returns the jobs that were taken. */
  public static List<Rescued> rescue(DSLContext tx, int limit) {
    var rescued = RESCUE_JOBS.call(limit, (int) LostWorker.BEYOND_MAX);
    return tx.select(rescued.ID, rescued.QUEUE, rescued.IS_OVER)
        .from(rescued)
        .fetch(Records.mapping(Rescued::new));
  }
}
