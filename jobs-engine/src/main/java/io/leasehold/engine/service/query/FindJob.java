package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import java.util.Optional;

/** Looks up one job. */
public final class FindJob {

  private FindJob() {}

  /** Returns the job, if the caller may read it. */
  public static Optional<Job> find(ScopedTransaction tx, JobId id) {
    return tx.selectFrom(JOB_STATUS_V)
        .where(JOB_STATUS_V.JOB_ID.eq(id))
        .fetchOptional(StatusView::job);
  }
}
