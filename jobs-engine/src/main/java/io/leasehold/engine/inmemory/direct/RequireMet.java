package io.leasehold.engine.inmemory.direct;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import java.util.List;

/** Checks that the dependencies of a job have succeeded, for a job that cannot wait. */
final class RequireMet {

  private RequireMet() {}

  /**
   * Checks the dependencies.
   *
   * @throws JobsException with {@link ErrorCode#DEPENDENCY_UNKNOWN} if one does not exist, and
   *     {@link ErrorCode#DEPENDENCY_UNMET} if one has not succeeded
   */
  static void require(ScopedTransaction tx, List<JobId> jobs) {
    var statuses =
        tx.selectFrom(JOB_STATUS_V)
            .where(JOB_STATUS_V.TENANT_ID.eq(tx.caller().tenant()), JOB_STATUS_V.JOB_ID.in(jobs))
            .fetchMap(JOB_STATUS_V.JOB_ID, JOB_STATUS_V.STATUS);
    for (var job : jobs) {
      var status = statuses.get(job);
      if (status == null) {
        throw new JobsException(
            ErrorCode.DEPENDENCY_UNKNOWN, "one of the jobs to wait for is not there");
      }
      if (!status.equals(JobStatus.SUCCEEDED.word())) {
        throw new JobsException(
            ErrorCode.DEPENDENCY_UNMET,
            "job %s is %s, and in direct mode no job waits for it".formatted(job, status));
      }
    }
  }
}
