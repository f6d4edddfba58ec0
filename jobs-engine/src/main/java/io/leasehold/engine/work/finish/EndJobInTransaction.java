package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.FINISH;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.jooq.JSON;

/** Ends a job as the last statement of its handler's own transaction. */
public final class EndJobInTransaction {

  private EndJobInTransaction() {}

  /**
   * Marks the job as succeeded if the transaction commits.
   *
   * @throws JobsException with {@link ErrorCode#LEASE_LOST} if another worker may have the job by
   *     now. The transaction must then not commit anything
   */
  public static void end(ScopedTransaction tx, WorkerId worker, ClaimedJob job, JSON result) {
    var finished = FINISH.call(job.id(), worker.value(), job.token(), result);
    if (tx.dsl().select(finished.ID).from(finished).fetch().isEmpty()) {
      throw new JobsException(
          ErrorCode.LEASE_LOST, "the lease of job %s is lost".formatted(job.id()));
    }
  }
}
