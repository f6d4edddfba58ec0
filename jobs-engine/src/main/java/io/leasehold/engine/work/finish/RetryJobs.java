package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.RETRY_JOBS;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;

/**
 * Schedules the next attempts of jobs: their rows move from {@code lease} to {@code scheduled}, and
 * the finished attempts are recorded. A job is left unchanged if its lease is gone or has another
 * token or worker.
 */
final class RetryJobs {

  private RetryJobs() {}

  /** Returns the jobs that this call rescheduled. */
  static Set<JobId> retry(DSLContext tx, WorkerId worker, List<Ending.Again> endings) {
    var retried =
        RETRY_JOBS.call(
            worker.value(),
            endings.stream().map(ending -> ending.id().value()).toArray(UUID[]::new),
            endings.stream().map(Ending.Again::token).toArray(Long[]::new),
            endings.stream().map(ending -> ending.status().word()).toArray(String[]::new),
            endings.stream().map(Ending.Again::error).toArray(String[]::new),
            endings.stream().map(ending -> ending.delay().toMillis()).toArray(Long[]::new));
    return tx.select(retried.ID).from(retried).fetchSet(retried.ID);
  }
}
