package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.LIST_JOBS;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobStatus;
import java.util.List;
import java.util.Optional;

/**
 * Lists jobs, newest first, through {@code leasehold.list_jobs}. An index holds the jobs of a page
 * in the order of their ids, so no other jobs are read. The function sees the transaction's
 * readable tenants only.
 *
 * <p>A page continues after an id, so jobs that are submitted in the meantime do not shift the
 * pages.
 */
public final class FindJobs {

  private FindJobs() {}

  /** Returns a page of the jobs that the caller may read. */
  public static JobPage list(ScopedTransaction tx, JobFilter filter) {
    // One row more than the page holds, to know whether the page is the last.
    var found =
        LIST_JOBS.call(
            filter.status().map(JobStatus::word).orElse(null),
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
    return page(jobs, filter.limit());
  }

  public static JobPage page(List<Job> jobs, int limit) {
    if (jobs.size() <= limit) {
      return new JobPage(jobs, Optional.empty());
    }
    var page = jobs.subList(0, limit);
    return new JobPage(page, Optional.of(page.getLast().id()));
  }
}
