package io.leasehold.engine.work.finish;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.work.lease.FindFree;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a transaction that ended its own job committed, after the answer to the commit
 * was lost. The lease token of the attempt is stored with the ending. Thread-safe.
 */
public final class ResolveCommit {

  private static final Logger log = LoggerFactory.getLogger(ResolveCommit.class);
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final FindFree findFree;
  private final NotifyOfEnds notify;

  @Inject
  ResolveCommit(Transactions transactions, FindFree findFree, NotifyOfEnds notify) {
    this.transactions = transactions;
    this.findFree = findFree;
    this.notify = notify;
  }

  /**
   * Returns whether the job was ended under this lease. Empty while that is undecided: a
   * transaction still holds the lease, or the database does not respond.
   */
  public Optional<Boolean> isCommitted(HeldLease lease) {
    try {
      return findFree.isFree(lease) ? Optional.of(isEnded(lease)) : Optional.empty();
    } catch (JobsException e) {
      log.debug("the outcome of the commit that ends job {} is still unknown", lease.id(), e);
      return Optional.empty();
    }
  }

  private boolean isEnded(HeldLease lease) {
    return !transactions.asEngine(ONE, tx -> FindEnded.find(tx, List.of(lease))).isEmpty();
  }

  /** Notifies watchers and dependents of a job whose own transaction committed. Throws nothing. */
  public void committed(JobId job) {
    notify.attemptsEnded(List.of(job));
    notify.jobsEnded();
  }
}
