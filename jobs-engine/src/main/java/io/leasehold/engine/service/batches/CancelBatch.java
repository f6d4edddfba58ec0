package io.leasehold.engine.service.batches;

import static io.leasehold.db.schema.Tables.CANCEL_BATCH;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.batches.BatchId;
import java.util.List;

/** Cancels some jobs of a batch, in the caller's transaction. */
final class CancelBatch {

  private CancelBatch() {}

  /**
   * A job that the call tried to cancel.
   *
   * @param id the id of the job
   * @param became whether this call ended the job or requested its end
   * @param runs whether the job is running and has been notified
   */
  record Asked(JobId id, boolean became, boolean runs) {}

  /**
   * Cancels the next {@code most} jobs after this one, in the order of their ids. Returns those
   * jobs, or an empty list after the last job.
   */
  static List<Asked> cancel(ScopedTransaction tx, BatchId id, JobId behind, int most) {
    var asked = CANCEL_BATCH.call(id.value(), behind.value(), most, tx.caller().principal());
    return tx.dsl()
        .select(asked.JOB_ID, asked.STATUS, asked.BECAME)
        .from(asked)
        .fetch(row -> new Asked(row.value1(), row.value3(), "requested".equals(row.value2())));
  }
}
