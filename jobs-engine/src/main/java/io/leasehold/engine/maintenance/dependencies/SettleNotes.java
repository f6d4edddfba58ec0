package io.leasehold.engine.maintenance.dependencies;

import static io.leasehold.db.schema.Tables.SETTLE;

import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Record2;

/**
 * Looks at jobs that were noted because somebody else held what had to be looked at, and learns
 * which have changed. Notes that others hold are skipped. Harmless if several do it at once.
 */
public final class SettleNotes {

  private SettleNotes() {}

  /**
   * What was done.
   *
   * @param any whether there was a note that was due; else there is nothing to do for now
   * @param changed the jobs that were released, or failed
   * @param queues that have got jobs
   */
  public record Settled(boolean any, List<JobId> changed, List<String> queues) {

    /** Keeps copies of both. */
    public Settled {
      changed = List.copyOf(changed);
      queues = List.copyOf(queues);
    }
  }

  /** Looks at about so many jobs. */
  public static Settled settle(DSLContext tx, int most) {
    var its = SETTLE.call(most);
    var rows = tx.select(its.ID, its.QUEUE).from(its).fetch();
    return new Settled(
        !rows.isEmpty(),
        rows.stream().map(Record2::value1).filter(Objects::nonNull).toList(),
        rows.stream().map(Record2::value2).filter(Objects::nonNull).distinct().toList());
  }
}
