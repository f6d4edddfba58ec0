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
 * The holder of a job's lease, which writes under its fence.
 *
 * @param transactions the transactions to write in
 * @param worker the worker that was given the lease
 * @param job the claimed job
 * @param caller the principal that the job runs for
 */
public record Holder(
    Transactions transactions, WorkerId worker, ClaimedJob job, SecurityContext caller) {

  /** More than a pool has connections, because each of them may be broken. */
  private static final int REPEATS = 30;

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Options for a transaction of a single statement. */
  public static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  /** Returns the id of the job. */
  public JobId id() {
    return job.id();
  }

  /** Returns the token of the lease. */
  public long token() {
    return job.token();
  }

  /**
   * Runs work that may safely run twice: a read, or an idempotent write. Repeats it after a short
   * pause if the answer to the commit was lost. If it still fails, either nothing is committed, or
   * the next attempt finds what is.
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

  /** Returns the exception for a lost lease. */
  public JobsException lost() {
    return new JobsException(ErrorCode.LEASE_LOST, "the lease of job %s is lost".formatted(id()));
  }
}
