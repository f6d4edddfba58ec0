package io.leasehold.engine.read;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static org.jooq.impl.DSL.noCondition;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobPage;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;

/** Lists jobs, the newest first. */
public final class ListJobs {

  private ListJobs() {}

  /** A page of the jobs that the caller may read. */
  public static JobPage list(ScopedTransaction tx, JobFilter filter) {
    var jobs =
        tx.selectFrom(JOB_STATUS_V)
            .where(condition(filter))
            .orderBy(JOB_STATUS_V.JOB_ID.desc())
            .limit(filter.limit() + 1)
            .fetch(StatusView::job);
    return page(jobs, filter.limit());
  }

  private static JobPage page(List<Job> jobs, int limit) {
    if (jobs.size() <= limit) {
      return new JobPage(jobs, Optional.empty());
    }
    var page = jobs.subList(0, limit);
    return new JobPage(page, Optional.of(page.getLast().id()));
  }

  private static Condition condition(JobFilter filter) {
    var all = noCondition();
    all = and(all, filter.handler().map(id -> JOB_STATUS_V.HANDLER_ID.eq(id.value())));
    all = and(all, filter.queue().map(JOB_STATUS_V.QUEUE::eq));
    all = and(all, filter.status().map(status -> JOB_STATUS_V.STATUS.eq(status.word())));
    all = and(all, filter.correlationId().map(JOB_STATUS_V.CORRELATION_ID::eq));
    all = and(all, filter.after().map(JOB_STATUS_V.JOB_ID::lt));
    return all;
  }

  private static Condition and(Condition all, Optional<Condition> one) {
    return one.map(all::and).orElse(all);
  }
}
