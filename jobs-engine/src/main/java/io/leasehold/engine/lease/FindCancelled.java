package io.leasehold.engine.lease;

import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;
import static io.leasehold.db.schema.Tables.LEASE;

import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.util.Set;

/** Finds this worker's running jobs whose end was asked for. */
public final class FindCancelled {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  FindCancelled(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /** Their ids. */
  public Set<JobId> find() {
    return transactions.asEngine(
        tx ->
            tx.selectDistinct(LEASE.ID)
                .from(CANCEL_REQUEST)
                .join(LEASE)
                .on(LEASE.ID.eq(CANCEL_REQUEST.ID))
                .where(LEASE.WORKER_ID.eq(worker.value()))
                .fetchSet(LEASE.ID));
  }
}
