package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.TENANT_QUEUE;
import static org.jooq.impl.DSL.excluded;

import io.leasehold.jobs.TenantId;
import org.jooq.DSLContext;

/** Sets how many turns a tenant gets in a queue. */
final class WeighTenant {

  private WeighTenant() {}

  static int weigh(DSLContext tx, String queue, TenantId tenant, short weight) {
    return tx.insertInto(TENANT_QUEUE)
        .set(TENANT_QUEUE.QUEUE, queue)
        .set(TENANT_QUEUE.TENANT_ID, tenant)
        .set(TENANT_QUEUE.WEIGHT, weight)
        .onConflict(TENANT_QUEUE.QUEUE, TENANT_QUEUE.TENANT_ID)
        .doUpdate()
        .set(TENANT_QUEUE.WEIGHT, excluded(TENANT_QUEUE.WEIGHT))
        .execute();
  }
}
