package io.leasehold.engine.service.deadletters;

import static io.leasehold.db.schema.Tables.DISCARD_ALL;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/** Deletes many jobs and everything that belongs to them, in one statement. */
final class DiscardDeadLetters {

  private DiscardDeadLetters() {}

  /**
   * Returns the ids of the jobs that were dead letters of the caller's own tenant and are now
   * deleted.
   */
  static Set<JobId> discard(ScopedTransaction tx, Collection<JobId> ids) {
    var discarded = DISCARD_ALL.call(ids.stream().map(JobId::value).toArray(UUID[]::new));
    return tx.dsl().select(discarded.JOB_ID).from(discarded).fetchSet(discarded.JOB_ID);
  }
}
