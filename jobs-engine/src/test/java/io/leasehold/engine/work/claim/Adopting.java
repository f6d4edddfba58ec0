package io.leasehold.engine.work.claim;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;

/** Lets tests of other packages adopt jobs. */
public final class Adopting {

  private Adopting() {}

  /** As a worker that has one handler. */
  public static List<ClaimedJob> adopt(
      DSLContext tx, WorkerId worker, String queue, JobType<?, ?> type, Duration lease) {
    return adopt(tx, worker, queue, type, lease, 100);
  }

  /** The same, up to {@code limit} jobs. */
  public static List<ClaimedJob> adopt(
      DSLContext tx, WorkerId worker, String queue, JobType<?, ?> type, Duration lease, int limit) {
    var claimant = new Claimant(worker, queue, lease, Set.of(), Set.of(type.handler()));
    return AdoptJobs.adopt(tx, claimant, limit);
  }
}
