package io.leasehold.engine.service.deadletters;

import static io.leasehold.db.schema.Tables.LIST_DEAD;
import static io.leasehold.db.schema.Tables.OWN_DEAD;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.service.query.FindJobs;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobStatus;
import java.util.Map;

/** Lists failed and timed-out jobs, newest first, as {@link FindJobs} does. */
public final class ListDeadLetters {

  private ListDeadLetters() {}

  /**
   * Returns a page of the dead letters that the caller may read.
   *
   * @throws IllegalArgumentException if the filter asks for another status
   */
  public static JobPage list(ScopedTransaction tx, JobFilter filter) {
    requireDead(filter);
    var found = FindJobs.call(LIST_DEAD::call, filter, filter.limit() + 1);
    return FindJobs.page(tx, found, found.JOB_ID, filter.limit());
  }

  /**
   * Returns the queues of the own tenant's dead letters by job id, newest first.
   *
   * @param most the maximum number of jobs, whatever the filter's limit
   * @throws IllegalArgumentException if the filter asks for another status
   */
  public static Map<JobId, String> own(ScopedTransaction tx, JobFilter filter, int most) {
    requireDead(filter);
    var found = FindJobs.call(OWN_DEAD::call, filter, most);
    return tx.dsl()
        .select(found.JOB_ID, found.QUEUE)
        .from(found)
        .orderBy(found.JOB_ID.desc())
        .fetchMap(found.JOB_ID, found.QUEUE);
  }

  private static void requireDead(JobFilter filter) {
    filter
        .status()
        .filter(status -> status != JobStatus.FAILED && status != JobStatus.TIMED_OUT)
        .ifPresent(
            status -> {
              throw new IllegalArgumentException(
                  "status of dead letters must be failed or timed_out, not " + status.word());
            });
  }
}
