package io.leasehold.engine.work.inline;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.dependencies.FollowDependents;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.time.delayed.MoveInTime;
import io.leasehold.engine.work.attempt.Attempt;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.claim.Claimant;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.finish.WriteEndings;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.run.Terms;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/** Claims due jobs and runs them on the calling thread, one after the other. Thread-safe. */
public final class RunDueJobs {

  private static final int AT_ONCE = 100;

  private final Transactions transactions;
  private final WorkerId worker;
  private final HandlerRegistry handlers;
  private final Terms terms;
  private final JobMeters meters;
  private final Work work;

  @Inject
  RunDueJobs(
      Transactions transactions,
      WorkerId worker,
      HandlerRegistry handlers,
      Terms terms,
      JobMeters meters,
      Work work) {
    this.transactions = transactions;
    this.worker = worker;
    this.handlers = handlers;
    this.terms = terms;
    this.meters = meters;
    this.work = work;
  }

  /** The parts that make jobs due, run them and write their endings. */
  record Work(
      MoveInTime due,
      FollowDependents dependents,
      Attempt attempt,
      WriteEndings flush,
      JobChanges changes) {
    @Inject
    Work {}
  }

  /** Runs all due jobs and the jobs that they submit. Returns how many attempts ran. */
  public int run() {
    var all = 0;
    int some;
    do {
      work.due().move();
      work.dependents().settle();
      some = handlers.queues().stream().mapToInt(this::runQueue).sum();
      all += some;
    } while (some > 0);
    return all;
  }

  private int runQueue(String queue) {
    var lanes =
        new Lanes(
            transactions,
            new Claimant(worker, queue, terms.lease(), handlers.failing(), handlers.adopting()),
            meters.claims(queue));
    var ran = 0;
    while (true) {
      var sentAt = System.nanoTime();
      var claimed = lanes.claim(AT_ONCE).jobs();
      if (claimed.isEmpty()) {
        return ran;
      }
      work.changes().changed(claimed, ClaimedJob::id);
      claimed.forEach(job -> run(job, sentAt));
      ran += claimed.size();
    }
  }

  private void run(ClaimedJob job, long sentAt) {
    var held = new RunningJob(job, sentAt, sentAt + terms.lease().toNanos());
    handlers
        .find(job.handlerId())
        .filter(_ -> job.problem().isEmpty())
        .map(handler -> work.attempt().run(held, handler))
        .orElseGet(() -> Optional.of(Ending.unbegun(job)))
        .ifPresent(ending -> work.flush().write(List.of(ending)));
  }
}
