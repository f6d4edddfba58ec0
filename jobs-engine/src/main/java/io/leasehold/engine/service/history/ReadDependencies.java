package io.leasehold.engine.service.history;

import static io.leasehold.db.schema.Tables.LIST_DEPENDENCIES;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.service.query.FindJob;
import io.leasehold.engine.service.query.Pages;
import io.leasehold.engine.service.query.StoredHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.history.DependencyPage;
import io.leasehold.jobs.history.JobDependency;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads the jobs that a job waits for, through {@code leasehold.list_dependencies}. */
public final class ReadDependencies {

  private static final UUID FIRST = new UUID(0, 0);

  private ReadDependencies() {}

  /** Returns a page of the dependencies, if the caller may read the job. */
  public static Optional<DependencyPage> read(
      ScopedTransaction tx, JobId id, Optional<JobId> after, int limit) {
    return FindJob.find(tx, id)
        .map(
            _ ->
                Pages.first(
                    list(tx, id, after, limit + 1),
                    limit,
                    JobDependency::job,
                    DependencyPage::new));
  }

  private static List<JobDependency> list(
      ScopedTransaction tx, JobId id, Optional<JobId> after, int most) {
    var dependencies =
        LIST_DEPENDENCIES.call(id.value(), after.map(JobId::value).orElse(FIRST), most);
    return tx.dsl()
        .select(dependencies.JOB_ID, dependencies.HANDLER_ID, dependencies.STATUS)
        .from(dependencies)
        .orderBy(dependencies.JOB_ID)
        .fetch(
            row ->
                new JobDependency(
                    row.value1(),
                    Optional.ofNullable(row.value2()).map(StoredHandler::of),
                    Optional.ofNullable(row.value3()).map(JobStatus::of)));
  }
}
