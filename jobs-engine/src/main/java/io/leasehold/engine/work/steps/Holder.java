package io.leasehold.engine.work.steps;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

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

  /** More than a pool has connections: each of them may be broken. */
  private static final int REPEATS = 30;

  private static final Duration PAUSE = Duration.ofMillis(20);

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

  /**
   * Does what may be done twice, as a read, or a write that is there once however often it is
   * written: again soon if the answer to the commit was lost. What then fails is not committed, or
   * is found by the next attempt.
   */
  <T> T repeated(Supplier<T> work) {
    for (var more = REPEATS; ; more--) {
      try {
        return work.get();
      } catch (JobsException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN || more == 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /** Says that the lease is lost. */
  public JobsException lost() {
    return new JobsException(ErrorCode.LEASE_LOST, "the lease of job %s is lost".formatted(id()));
  }
}
