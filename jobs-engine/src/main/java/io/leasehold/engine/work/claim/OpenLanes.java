package io.leasehold.engine.work.claim;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import jakarta.inject.Inject;
import java.time.Duration;

/** Opens the lanes of queues for this process's worker. */
public final class OpenLanes {

  private final Transactions transactions;
  private final WorkerId worker;
  private final HandlerRegistry handlers;
  private final JobMeters meters;

  @Inject
  OpenLanes(
      Transactions transactions, WorkerId worker, HandlerRegistry handlers, JobMeters meters) {
    this.transactions = transactions;
    this.worker = worker;
    this.handlers = handlers;
    this.meters = meters;
  }

  /** Returns the lanes of a queue, from which jobs are claimed for {@code lease}. */
  public Lanes of(String queue, Duration lease) {
    var claimant = new Claimant(worker, queue, lease, handlers.failing(), handlers.adopting());
    return new Lanes(transactions, claimant, meters.claims(queue));
  }
}
