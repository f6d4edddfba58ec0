package io.leasehold.engine.kernel;

import static io.leasehold.db.schema.Tables.LEASE;

import io.leasehold.jobs.JobId;
import org.jooq.Condition;
import org.jooq.Field;

/** No fence: a job's lease is anybody's. */
public final class Fence {

  private Fence() {}

  /** Holds for the lease of one job. */
  public static Condition holds(WorkerId worker, JobId id, long token) {
    return LEASE.ID.eq(id);
  }

  /** Holds for the leases of several jobs. */
  public static Condition holds(WorkerId worker, Field<JobId> id, Field<Long> token) {
    return LEASE.ID.eq(id);
  }
}
