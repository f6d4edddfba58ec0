package io.leasehold.engine.service.batches;

import static io.leasehold.db.schema.Tables.ADD_TO_BATCH;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.BatchId;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/** Puts jobs into a batch, in the caller's transaction. */
final class AddToBatch {

  private AddToBatch() {}

  /** Answers the batch: a new one if none is named. */
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
