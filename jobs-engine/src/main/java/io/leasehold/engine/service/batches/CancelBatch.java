package io.leasehold.engine.service.batches;

import static io.leasehold.db.schema.Tables.CANCEL_BATCH;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.BatchId;
import io.leasehold.jobs.JobId;
import java.util.List;

/** Asks for the end of some jobs of a batch, in the caller's transaction. */
final class CancelBatch {

  private CancelBatch() {}

  /**
   * A job that was looked at.
   *
   * @param id of it
   * @param became whether it ended, or was told to end, by this
   * @param runs whether it runs, and is told
   */
  record Asked(JobId id, boolean became, boolean runs) {}

  /** Answers the next jobs behind this one, in the order of their ids; none if there is none. */
  static List<Asked> cancel(ScopedTransaction tx, BatchId id, JobId behind, int most) {
    var asked = CANCEL_BATCH.call(id.value(), behind.value(), most, tx.caller().principal());
    return tx.dsl()
        .select(asked.JOB_ID, asked.STATUS, asked.BECAME)
        .from(asked)
        .fetch(row -> new Asked(row.value1(), row.value3(), "requested".equals(row.value2())));
  }
}
