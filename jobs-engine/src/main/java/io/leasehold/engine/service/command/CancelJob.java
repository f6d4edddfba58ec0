package io.leasehold.engine.service.command;

import static io.leasehold.db.schema.Tables.CANCEL;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;

/** Requests the end of a job, in the caller's transaction. */
public final class CancelJob {

  private CancelJob() {}

  /**
   * Requests the end of the job.
   *
   * @param thenDelete whether to delete the job once it has ended
   */
  public static Cancellation cancel(ScopedTransaction tx, JobId id, boolean thenDelete) {
    var cancelled = CANCEL.call(id, tx.caller().principal(), thenDelete);
    return tx.dsl()
        .select(cancelled.STATUS, cancelled.BECAME)
        .from(cancelled)
        .fetchOptional(row -> cancellation(row.value1(), row.value2()))
        .orElseGet(Cancellation.NotFound::new);
  }

  private static Cancellation cancellation(String status, boolean became) {
    if (status.equals("requested")) {
      return new Cancellation.Requested();
    }
    return became ? new Cancellation.Cancelled() : new Cancellation.TooLate(JobStatus.of(status));
  }
}
