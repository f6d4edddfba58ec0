package io.leasehold.engine.run;

import static io.leasehold.db.schema.Tables.EVENT;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.PROGRESS;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.lease.Fence;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import org.jooq.Condition;
import org.jooq.JSON;

/**
 * Writes what a running attempt says of its job, under the fence of its lease. The lease is locked
 * for it, so that whoever takes it away waits until this is committed, and nothing is written
 * after.
 */
final class TellOfJob {

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  TellOfJob(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  void progress(ClaimedJob job, short percent, String note) {
    requireWritten(
        job,
        transactions.asEngine(
            tx ->
                tx.insertInto(
                        PROGRESS,
                        PROGRESS.TENANT_ID,
                        PROGRESS.ID,
                        PROGRESS.TOKEN,
                        PROGRESS.PERCENT,
                        PROGRESS.NOTE,
                        PROGRESS.UPDATED_AT)
                    .select(
                        select(
                                LEASE.TENANT_ID,
                                LEASE.ID,
                                LEASE.TOKEN,
                                val(percent),
                                val(note),
                                currentOffsetDateTime())
                            .from(LEASE)
                            .where(isHeld(job))
                            .forShare())
                    .onConflict(PROGRESS.ID)
                    .doUpdate()
                    .set(PROGRESS.TOKEN, excluded(PROGRESS.TOKEN))
                    .set(PROGRESS.PERCENT, excluded(PROGRESS.PERCENT))
                    .set(PROGRESS.NOTE, excluded(PROGRESS.NOTE))
                    .set(PROGRESS.UPDATED_AT, excluded(PROGRESS.UPDATED_AT))
                    .execute()));
  }

  void event(ClaimedJob job, int n, String kind, JSON body) {
    requireWritten(
        job,
        transactions.asEngine(
            tx ->
                tx.insertInto(
                        EVENT,
                        EVENT.TENANT_ID,
                        EVENT.ID,
                        EVENT.TOKEN,
                        EVENT.N,
                        EVENT.TOLD_AT,
                        EVENT.KIND,
                        EVENT.BODY)
                    .select(
                        select(
                                LEASE.TENANT_ID,
                                LEASE.ID,
                                LEASE.TOKEN,
                                val(n),
                                currentOffsetDateTime(),
                                val(kind),
                                val(body))
                            .from(LEASE)
                            .where(isHeld(job))
                            .forShare())
                    .execute()));
  }

  private Condition isHeld(ClaimedJob job) {
    return Fence.holds(worker, job.id(), job.token());
  }

  private static void requireWritten(ClaimedJob job, int rows) {
    if (rows == 0) {
      throw new JobsException(
          ErrorCode.LEASE_LOST, "the lease of job %s is lost".formatted(job.id()));
    }
  }
}
