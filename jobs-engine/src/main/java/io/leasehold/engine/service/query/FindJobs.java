package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.LIST_JOBS;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobStatus;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Function7;
import org.jooq.Table;

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
    var found = call(LIST_JOBS::call, filter, filter.limit() + 1);
    return page(tx, found, found.JOB_ID, filter.limit());
  }

  /** Calls a function that lists up to {@code most} of the jobs that the filter selects. */
  public static <T> T call(
      Function7<String, String, String, String, UUID, UUID, Integer, T> function,
      JobFilter filter,
      int most) {
    return function.apply(
        filter.status().map(JobStatus::word).orElse(null),
        filter.handler().map(HandlerId::value).orElse(null),
        filter.queue().orElse(null),
        filter.correlationId().orElse(null),
        IdBounds.first(filter),
        IdBounds.beyond(filter),
        most);
  }

  /** Reads a page of jobs from a function that lists one more. */
  public static JobPage page(ScopedTransaction tx, Table<?> found, Field<JobId> id, int limit) {
    var jobs =
        tx.dsl().select(found.fields()).from(found).orderBy(id.desc()).fetch(StatusView::job);
    return Pages.first(jobs, limit, Job::id, JobPage::new);
  }
}
