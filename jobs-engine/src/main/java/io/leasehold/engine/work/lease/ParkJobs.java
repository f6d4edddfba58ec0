package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.PARK_JOBS;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * Puts aside jobs that this worker currently cannot work on: their rows move from {@code lease} to
 * {@code scheduled}, and no attempt is counted. When the jobs are due again, any worker that can
 * run them may claim them; until then they block no other job.
 */
public final class ParkJobs {

  private ParkJobs() {}

  /** Returns the jobs that were put aside. A lease that another statement holds is skipped. */
  public static Set<JobId> park(
      DSLContext tx, WorkerId worker, Collection<HeldLease> held, Duration delay, PutOff why) {
    var parked =
        PARK_JOBS.call(
            worker.value(),
            OwnLeases.ids(held),
            OwnLeases.tokens(held),
            delay.toMillis(),
            why.word());
    return tx.select(parked.ID).from(parked).fetchSet(parked.ID);
  }
}
