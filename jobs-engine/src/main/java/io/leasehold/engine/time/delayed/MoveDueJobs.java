package io.leasehold.engine.time.delayed;

import static io.leasehold.db.schema.Tables.MOVE_DUE_JOBS;

import io.leasehold.jobs.JobId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Records;

/**
 * Moves jobs whose time has come from {@code scheduled} to {@code ready}. Locked rows are skipped:
 * another transaction is moving, retrying or withdrawing them.
 */
public final class MoveDueJobs {

  private MoveDueJobs() {}

  /**
   * A job that was moved.
   *
   * @param queue the queue in which the job is now ready
   */
  public record Moved(JobId id, String queue) {}

  /** Moves up to {@code limit} jobs, and returns them. */
  public static List<Moved> move(DSLContext tx, int limit) {
    var moved = MOVE_DUE_JOBS.call(limit);
    return tx.select(moved.ID, moved.QUEUE).from(moved).fetch(Records.mapping(Moved::new));
  }
}
