package io.leasehold.engine.service.command;

import static io.leasehold.db.schema.Tables.RETRY;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.RetryOutcome;

/** Queues a job again, in the caller's transaction. */
public final class RetryJob {

  private RetryJob() {}

  public static RetryOutcome retry(ScopedTransaction tx, JobId id) {
    var retried = RETRY.call(id);
    return tx.dsl()
        .select(retried.STATUS, retried.BECAME)
        .from(retried)
        .fetchOptional(
            row ->
                row.value2()
                    ? new RetryOutcome.Queued()
                    : (RetryOutcome) new RetryOutcome.NotNeeded(JobStatus.of(row.value1())))
        .orElseGet(RetryOutcome.NotFound::new);
  }
}
