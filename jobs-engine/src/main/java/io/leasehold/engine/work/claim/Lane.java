package io.leasehold.engine.work.claim;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.List;

/**
 * A tenant's waiting jobs of one priority in a queue: one range of the index that claims scan.
 *
 * @param tenant the tenant of the jobs
 * @param priority the priority of the jobs
 * @param floor the id of the first job; claims start scanning there
 * @param weight the tenant's turns relative to a tenant with weight 1
 */
record Lane(TenantId tenant, short priority, JobId floor, int weight) {

  /** Returns the lane without the jobs that were taken from its beginning. */
  Lane behind(List<JobId> taken) {
    return taken.isEmpty() ? this : new Lane(tenant, priority, taken.getLast(), weight);
  }
}
