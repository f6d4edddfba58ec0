package io.leasehold.engine.work.claim;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.List;

/**
 * A tenant's waiting jobs of one priority in a queue: a range of the index that claims scan.
 *
 * @param tenant whose jobs
 * @param priority of all of them
 * @param floor the first of them, before which a claim need not look
 * @param weight how many turns the tenant gets where others get one
 */
record Lane(TenantId tenant, short priority, JobId floor, int weight) {

  /** The lane without the jobs that were taken from its beginning. */
  Lane behind(List<JobId> taken) {
    return taken.isEmpty() ? this : new Lane(tenant, priority, taken.getLast(), weight);
  }
}
