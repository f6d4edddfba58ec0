package io.leasehold.engine.maintenance.dependencies;

import static io.leasehold.db.schema.Tables.SETTLE;

import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Record2;

/**
 * Checks noted jobs and returns which of them have changed. A job is noted when rows that had to be
 * checked were locked by another transaction. Locked notes are skipped. Harmless if several
 * processes do this at once.
 */
public final class SettleNotes {

  private SettleNotes() {}

  /**
   * The result of a check.
   *
   * @param any whether there was a due note; if not, there is nothing to do for now
   * @param changed the jobs that were released or failed
   * @param queues the queues that received jobs
   */
  public record Settled(boolean any, List<JobId> changed, List<String> queues) {

    public Settled {
      changed = List.copyOf(changed);
      queues = List.copyOf(queues);
    }
  }

  /** Checks about {@code most} jobs. */
  public static Settled settle(DSLContext tx, int most) {
    var settled = SETTLE.call(most);
    var rows = tx.select(settled.ID, settled.QUEUE).from(settled).fetch();
    return new Settled(
        !rows.isEmpty(),
        rows.stream().map(Record2::value1).filter(Objects::nonNull).toList(),
        rows.stream().map(Record2::value2).filter(Objects::nonNull).distinct().toList());
  }
}
