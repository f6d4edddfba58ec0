package io.leasehold.engine.maintenance.cancels;

import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * Completes cancellations and deletions that were requested for running jobs and that the jobs'
 * workers did not carry out.
 */
public final class FollowCancels {

  private static final int AT_ONCE = 1_000;
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final Transactions transactions;
  private final JobChanges changes;
  private final Dependents dependents;

  @Inject
  public FollowCancels(Transactions transactions, JobChanges changes, Dependents dependents) {
    this.transactions = transactions;
    this.changes = changes;
    this.dependents = dependents;
  }

  /** Completes all of them. Without requests, this only reads one empty table. */
  public void follow() {
    if (transactions.asEngine(ONE, tx -> tx.fetchExists(CANCEL_REQUEST))) {
      all(tx -> CancelWaiting.cancel(tx, AT_ONCE));
      all(tx -> DeleteEnded.delete(tx, AT_ONCE));
      forgetRequests();
    }
  }

  private void all(Function<DSLContext, Set<JobId>> some) {
    Set<JobId> done;
    do {
      done = transactions.asEngine(some::apply);
      changes.changed(done);
      if (!done.isEmpty()) {
        dependents.ended();
      }
    } while (done.size() >= AT_ONCE);
  }

  private void forgetRequests() {
    int done;
    do {
      done = transactions.asEngine(tx -> ForgetRequests.forget(tx, REMEMBERED, AT_ONCE));
    } while (done == AT_ONCE);
  }
}
