package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Tables.JOB;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.Collection;
import java.util.Set;
import org.jooq.DSLContext;

/** Finds which of a tenant's jobs exist, in any state. */
final class FindThere {

  private FindThere() {}

  static Set<JobId> find(DSLContext tx, TenantId tenant, Collection<JobId> jobs) {
    return tx.select(JOB.ID)
        .from(JOB)
        .where(JOB.TENANT_ID.eq(tenant), JOB.ID.in(jobs))
        .fetchSet(JOB.ID);
  }
}
