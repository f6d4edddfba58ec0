package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.END_JOBS;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.JSON;

/**
 * Ends jobs for good: their rows move from {@code lease} to {@code outcome}. A job is left
 * unchanged if its lease is gone or has another token or worker.
 */
final class EndJobs {

  private EndJobs() {}

  /** Returns the jobs that this call ended. */
  static Set<JobId> end(DSLContext tx, WorkerId worker, List<Ending.Last> endings) {
    var ended =
        END_JOBS.call(
            worker.value(),
            endings.stream().map(ending -> ending.id().value()).toArray(UUID[]::new),
            endings.stream().map(Ending.Last::token).toArray(Long[]::new),
            endings.stream().map(ending -> ending.status().word()).toArray(String[]::new),
            endings.stream().map(Ending.Last::result).toArray(JSON[]::new),
            endings.stream().map(ending -> ending.error().orElse(null)).toArray(String[]::new));
    return tx.select(ended.ID).from(ended).fetchSet(ended.ID);
  }
}
