package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;
import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.boolOr;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.util.Map;

/** Finds this worker's running jobs whose cancellation was requested. */
public final class FindCancelled {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  FindCancelled(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /** Returns the ids of the jobs, each with whether the job is to be deleted after it has ended. */
  public Map<JobId, Boolean> find() {
    var thenDelete = boolOr(CANCEL_REQUEST.THEN_DELETE);
    return transactions.asEngine(
        tx ->
            tx.select(LEASE.ID, thenDelete)
                .from(CANCEL_REQUEST)
                .join(LEASE)
                .on(LEASE.ID.eq(CANCEL_REQUEST.ID))
                .where(LEASE.WORKER_ID.eq(worker.value()))
                .groupBy(LEASE.ID)
                .fetchMap(LEASE.ID, thenDelete));
  }
}
