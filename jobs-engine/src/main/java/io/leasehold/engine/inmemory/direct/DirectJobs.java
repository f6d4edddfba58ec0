package io.leasehold.engine.inmemory.direct;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.service.submit.AttachMirrors;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.run.DirectRuns;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantTransaction;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Submissions of a process that runs jobs itself. A slot is taken before anything is stored, and
 * the job starts in that slot once the transaction has committed.
 */
public final class DirectJobs {

  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final JobMeters meters;
  private final JobChanges changes;
  private final DirectRuns runs;

  @Inject
  DirectJobs(Transactions transactions, DirectRuns runs, JobMeters meters, JobChanges changes) {
    this.transactions = transactions;
    this.meters = meters;
    this.changes = changes;
    this.runs = runs;
  }

  /**
   * Returns whether this process runs the stored job at once. A job that is due later is not run at
   * once.
   */
  public boolean takes(JobRequest<?, ?> request) {
    return runs.areOn() && request.delay().isZero();
  }

  /** Stores and starts a job, or refuses it at once. */
  public Submission submit(SecurityContext caller, JobRequest<?, ?> request) {
    var options =
        request.after().isEmpty() && request.mirror().isEmpty()
            ? ONE_STATEMENT
            : TransactionOptions.defaults();
    return submit(request, work -> transactions.asTenant(caller, options, work));
  }

  /** Stores a job that starts once the transaction has committed, or refuses it at once. */
  public Submission submit(TenantTransaction tx, JobRequest<?, ?> request) {
    return submit(request, work -> transactions.within(tx, work));
  }

  // A job refused for lack of a slot has not affected the transaction, which may continue.
  private Submission submit(
      JobRequest<?, ?> request, Function<TenantWork<Submission, RuntimeException>, Submission> in) {
    if (request.reuseWithin().isPresent()) {
      throw new IllegalArgumentException("in direct mode no job is reused");
    }
    var type = runs.type(request.type().handler());
    runs.reserve();
    var handedOver = new AtomicBoolean();
    try {
      return in.apply(tx -> store(tx, request, type, handedOver));
    } finally {
      if (!handedOver.get()) {
        runs.giveBack();
      }
    }
  }

  private Submission store(
      ScopedTransaction tx,
      JobRequest<?, ?> request,
      JobType<?, ?> type,
      AtomicBoolean handedOver) {
    if (!request.after().isEmpty()) {
      RequireMet.require(tx, request.after());
    }
    var sentAt = System.nanoTime();
    return AttachMirrors.around(
        tx, request, () -> storeLeased(tx, request, type, handedOver, sentAt));
  }

  private Submission storeLeased(
      ScopedTransaction tx,
      JobRequest<?, ?> request,
      JobType<?, ?> type,
      AtomicBoolean handedOver,
      long sentAt) {
    var leased =
        SubmitLeased.submit(tx, request, runs.worker(), runs.lease(), type.whenLost())
            .orElseThrow(DirectJobs::unregistered);
    leased
        .job()
        .ifPresent(
            job -> {
              tx.afterEnd(
                  committed -> {
                    if (committed) {
                      meters.submitted(job.handlerId(), 1);
                      runs.start(job, sentAt);
                      changes.changed(job.id());
                    } else {
                      runs.giveBackUncommitted();
                    }
                  });
              handedOver.set(true);
            });
    return new Submission(leased.id(), leased.job().isEmpty());
  }

  private static JobsException unregistered() {
    return new JobsException(
        ErrorCode.ENGINE_STOPPED, "the worker of this process is not registered: it takes no jobs");
  }
}
