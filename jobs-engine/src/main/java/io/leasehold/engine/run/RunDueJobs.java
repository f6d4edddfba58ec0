package io.leasehold.engine.run;

import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.Claimant;
import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.Lanes;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.finish.Ending;
import io.leasehold.engine.finish.Flush;
import io.leasehold.engine.lease.PutOff;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.schedule.MoveDueJobs;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Claims due jobs and runs them on the calling thread, one after the other. Safe to share. */
public final class RunDueJobs {

  private static final int AT_ONCE = 100;
  private static final int MOVED_AT_ONCE = 1_000;
  private static final Duration ASIDE = Duration.ofSeconds(10);

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

  /** How jobs run, and how their ends are written. */
  record Work(Attempt attempt, Flush flush) {
    @Inject
    Work {}
  }

  /** Runs all that are due, and what they submit; answers how many attempts ran. */
  public int run() {
    var all = 0;
    int some;
    do {
      moveDue();
      some = handlers.queues().stream().mapToInt(this::runQueue).sum();
      all += some;
    } while (some > 0);
    return all;
  }

  private void moveDue() {
    List<String> moved;
    do {
      moved = transactions.asEngine(tx -> MoveDueJobs.move(tx, MOVED_AT_ONCE));
    } while (moved.size() == MOVED_AT_ONCE);
  }

  private int runQueue(String queue) {
    var lanes =
        new Lanes(
            transactions,
            new Claimant(worker, queue, terms.lease(), handlers.failing()),
            meters.claims(queue));
    var ran = 0;
    while (true) {
      var sentAt = System.nanoTime();
      var claimed = lanes.claim(AT_ONCE).jobs();
      if (claimed.isEmpty()) {
        return ran;
      }
      claimed.forEach(job -> run(job, sentAt));
      ran += claimed.size();
    }
  }

  private void run(ClaimedJob job, long sentAt) {
    var held = new HeldJob(job, sentAt, sentAt + terms.lease().toNanos());
    handlers
        .find(job.handlerId())
        .map(handler -> work.attempt().run(held, handler))
        .orElseGet(() -> Optional.of(new Ending.Later(job.id(), job.token(), ASIDE, PutOff.ASIDE)))
        .ifPresent(ending -> work.flush().write(List.of(ending)));
  }
}
