package io.leasehold.engine.service.submit;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.signal.watch.Watching;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import java.time.Duration;
import java.util.List;

/**
 * The commands of the job service on transactions of a test's own, each as the whole transaction.
 * Workers and watchers are not notified.
 */
public final class Serving {

  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final TransactionalJobService jobs;

  private Serving(Transactions transactions, TransactionalJobService jobs) {
    this.transactions = transactions;
    this.jobs = jobs;
  }

  public static Serving on(Transactions transactions) {
    return new Serving(
        transactions,
        new TransactionalJobService(
            transactions,
            new WakeUps() {
              @Override
              public void jobsIn(String queue) {}

              @Override
              public void jobsDueIn(Duration delay) {}

              @Override
              public void cancellations() {}
            },
            Watching.none(),
            Measuring.unrecorded(),
            (caller, job, changed) -> () -> {},
            new NoDependents()));
  }

  public Submission submit(SecurityContext caller, JobRequest<?, ?> request) {
    var options = request.mirror().isEmpty() ? ONE_STATEMENT : TransactionOptions.defaults();
    return transactions.asTenant(caller, options, tx -> jobs.submit(tx, request));
  }

  public List<Submission> submitAll(
      SecurityContext caller, List<? extends JobRequest<?, ?>> requests) {
    return transactions.asTenant(caller, tx -> jobs.submitAll(tx, requests));
  }

  public Cancellation cancel(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> jobs.cancel(tx, id));
  }

  public RetryOutcome retry(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, tx -> jobs.retry(tx, id));
  }

  public Deletion delete(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, tx -> jobs.delete(tx, id));
  }

  public Deletion forceDelete(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, tx -> jobs.forceDelete(tx, id));
  }
}
