package io.leasehold.engine.service.batches;

import static io.leasehold.db.schema.Tables.ADD_TO_BATCH;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.batches.BatchId;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/** Adds jobs to a batch, in the caller's transaction. */
final class AddToBatch {

  private AddToBatch() {}

  /** Returns the batch, which is a new one if the call names none. */
  static BatchId add(
      ScopedTransaction tx, Optional<BatchId> batch, Collection<JobId> jobs, boolean callback) {
    var added =
        ADD_TO_BATCH.call(
            batch.map(BatchId::value).orElse(null),
            jobs.stream().map(JobId::value).toArray(UUID[]::new),
            callback);
    return tx.dsl()
        .select(added.BATCH_ID)
        .from(added)
        .fetchSingle(row -> new BatchId(row.value1()));
  }
}
