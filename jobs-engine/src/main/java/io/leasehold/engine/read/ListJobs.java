package io.leasehold.engine.read;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.selectFrom;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobPage;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;
import org.jooq.ResultQuery;

/**
 * Lists jobs, the newest first: picks those of a page, and asks the status view for each of them.
 *
 * <p>A page goes on behind an id, so that jobs which are submitted meanwhile move nothing.
 */
public final class ListJobs {

  private ListJobs() {}

  /** A page of the jobs that the caller may read. */
  public static JobPage list(ScopedTransaction tx, JobFilter filter) {
    return page(query(tx, filter).fetch(StatusView::job), filter.limit());
  }

  // One more than the page takes, to know whether it is the last. Each is looked up by itself: the
  // limit keeps PostgreSQL from joining all jobs with all outcomes.
  static ResultQuery<? extends Record> query(ScopedTransaction tx, JobFilter filter) {
    var page = PickJobs.newest(filter, filter.limit() + 1);
    var its =
        lateral(
                selectFrom(JOB_STATUS_V)
                    .where(
                        JOB_STATUS_V.TENANT_ID.eq(page.TENANT_ID),
                        JOB_STATUS_V.JOB_ID.eq(page.JOB_ID))
                    .limit(inline(1)))
            .as("its");
    return tx.dsl()
        .select(its.fields())
        .from(page)
        .crossJoin(its)
        .orderBy(requireNonNull(its.field(JOB_STATUS_V.JOB_ID)).desc());
  }

  private static JobPage page(List<Job> jobs, int limit) {
    if (jobs.size() <= limit) {
      return new JobPage(jobs, Optional.empty());
    }
    var page = jobs.subList(0, limit);
    return new JobPage(page, Optional.of(page.getLast().id()));
  }
}
