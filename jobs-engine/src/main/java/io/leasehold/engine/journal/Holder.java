package io.leasehold.engine.journal;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;

/**
 * Who holds a job's lease, and writes under its fence.
 *
 * @param transactions where to
 * @param worker who was given the lease
 * @param job what it was given
 * @param caller for whom the job runs
 */
public record Holder(
    Transactions transactions, WorkerId worker, ClaimedJob job, SecurityContext caller) {

  /** How a statement of its own is sent. */
  public static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  /** Of the job. */
  public JobId id() {
    return job.id();
  }

  /** Of the lease. */
  public long token() {
    return job.token();
  }

  /** Says that the lease is lost. */
  public JobsException lost() {
    return new JobsException(ErrorCode.LEASE_LOST, "the lease of job %s is lost".formatted(id()));
  }
}
