package io.leasehold.engine.kernel;

import static io.leasehold.db.schema.Tables.LEASE;
import static org.jooq.impl.DSL.val;

import io.leasehold.jobs.JobId;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * The condition of every write for a running job: its lease is still the one that this worker was
 * given. If the condition does not hold, no row is written.
 */
public final class Fence {

  private Fence() {}

  /** Returns the condition for the lease of one job. */
  public static Condition holds(WorkerId worker, JobId id, long token) {
    return holds(worker, val(id, LEASE.ID), val(token));
  }

  /** Returns the condition for the leases of several jobs, named by the rows of another table. */
  public static Condition holds(WorkerId worker, Field<JobId> id, Field<Long> token) {
    return LEASE.ID.eq(id).and(LEASE.TOKEN.eq(token)).and(LEASE.WORKER_ID.eq(worker.value()));
  }
}
