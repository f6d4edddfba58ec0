package io.leasehold.engine.service.deadletters;

import static io.leasehold.db.schema.Tables.COUNT_DEAD;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.service.query.StoredHandler;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.deadletters.DeadLetterCount;
import java.util.List;

/** Counts the failed and timed-out jobs that the caller may read. */
public final class CountDeadLetters {

  private CountDeadLetters() {}

  /** Returns the counts, ordered by tenant, handler and status. */
  public static List<DeadLetterCount> count(ScopedTransaction tx) {
    var counts = COUNT_DEAD.call();
    return tx.dsl()
        .select(counts.TENANT_ID, counts.HANDLER_ID, counts.STATUS, counts.JOBS)
        .from(counts)
        .orderBy(counts.TENANT_ID, counts.HANDLER_ID, counts.STATUS)
        .fetch(
            row ->
                new DeadLetterCount(
                    row.value1(),
                    StoredHandler.of(row.value2()),
                    JobStatus.of(row.value3()),
                    row.value4()));
  }
}
