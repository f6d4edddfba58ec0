package io.leasehold.engine.service.deadletters;

import static io.leasehold.db.schema.Tables.LIST_DEAD;
import static io.leasehold.db.schema.Tables.OWN_DEAD;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.service.query.FindJobs;
import io.leasehold.engine.service.query.IdBounds;
import io.leasehold.engine.service.query.StatusView;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists failed and timed-out jobs, newest first, as {@link FindJobs} does. */
public final class ListDeadLetters {

  private ListDeadLetters() {}

  /**
   * Returns a page of the dead letters that the caller may read.
   *
   * @throws IllegalArgumentException if the filter asks for another status
   */
  public static JobPage list(ScopedTransaction tx, JobFilter filter) {
    var found =
        LIST_DEAD.call(
            status(filter),
            filter.handler().map(HandlerId::value).orElse(null),
            filter.queue().orElse(null),
            filter.correlationId().orElse(null),
            IdBounds.first(filter),
            IdBounds.beyond(filter),
            filter.limit() + 1);
    var jobs =
        tx.dsl()
            .select(found.fields())
            .from(found)
            .orderBy(found.JOB_ID.desc())
            .fetch(StatusView::job);
    return FindJobs.page(jobs, filter.limit());
  }

  /**
   * Returns the queues of the own tenant's dead letters by job id, newest first.
   *
   * @param most the maximum number of jobs, whatever the filter's limit
   * @throws IllegalArgumentException if the filter asks for another status
   */
  public static Map<JobId, String> own(ScopedTransaction tx, JobFilter filter, int most) {
    var found =
        OWN_DEAD.call(
            status(filter),
            filter.handler().map(HandlerId::value).orElse(null),
            filter.queue().orElse(null),
            filter.correlationId().orElse(null),
            IdBounds.first(filter),
            IdBounds.beyond(filter),
            most);
    return tx.dsl()
        .select(found.JOB_ID, found.QUEUE)
        .from(found)
        .orderBy(found.JOB_ID.desc())
        .fetchMap(found.JOB_ID, found.QUEUE);
  }

  private static @Nullable String status(JobFilter filter) {
    filter
        .status()
        .filter(status -> status != JobStatus.FAILED && status != JobStatus.TIMED_OUT)
        .ifPresent(
            status -> {
              throw new IllegalArgumentException(
                  "status of dead letters must be failed or timed_out, not " + status.word());
            });
    return filter.status().map(JobStatus::word).orElse(null);
  }
}
