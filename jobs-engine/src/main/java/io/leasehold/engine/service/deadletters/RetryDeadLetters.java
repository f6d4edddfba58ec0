package io.leasehold.engine.service.deadletters;

import static io.leasehold.db.schema.Tables.RETRY_ALL;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/** Queues many jobs again, in one statement. */
final class RetryDeadLetters {

  private RetryDeadLetters() {}

  /**
   * Returns the ids of the jobs that were dead letters of the caller's own tenant and are now
   * queued.
   */
  static Set<JobId> retry(ScopedTransaction tx, Collection<JobId> ids) {
    var retried = RETRY_ALL.call(ids.stream().map(JobId::value).toArray(UUID[]::new));
    return tx.dsl().select(retried.JOB_ID).from(retried).fetchSet(retried.JOB_ID);
  }
}
