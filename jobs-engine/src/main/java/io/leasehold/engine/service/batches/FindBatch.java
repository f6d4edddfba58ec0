package io.leasehold.engine.service.batches;

import static io.leasehold.db.schema.Tables.FIND_BATCH;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.batches.Batch;
import io.leasehold.jobs.batches.BatchId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Counts the jobs of a batch by {@code leasehold.find_batch}. */
final class FindBatch {

  private FindBatch() {}

  /** Returns the batch, if the caller may read it. */
  static Optional<Batch> find(ScopedTransaction tx, BatchId id) {
    var found = FIND_BATCH.call(id.value());
    var rows = tx.dsl().select(found.STATUS, found.JOBS, found.CALLBACK).from(found).fetch();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Map<JobStatus, Long> counts = new EnumMap<>(JobStatus.class);
    Optional<JobId> callback = Optional.empty();
    for (var row : rows) {
      if (row.value3() == null) {
        counts.put(JobStatus.of(row.value1()), row.value2());
      } else {
        callback = Optional.of(new JobId(row.value3()));
      }
    }
    return Optional.of(new Batch(id, counts, callback));
  }
}
