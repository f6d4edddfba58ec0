package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.TENANT_QUEUE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;

import io.leasehold.jobs.TenantId;
import org.jooq.DSLContext;

/**
 * Pauses and resumes a tenant in a queue. The tenant's weight is kept, and so is the record of the
 * first pause with the principal who made it.
 */
final class PauseTenant {

  private PauseTenant() {}

  static int pause(DSLContext tx, String queue, TenantId tenant, String by) {
    return tx.insertInto(TENANT_QUEUE)
        .set(TENANT_QUEUE.QUEUE, queue)
        .set(TENANT_QUEUE.TENANT_ID, tenant)
        .set(TENANT_QUEUE.PAUSED_AT, currentOffsetDateTime())
        .set(TENANT_QUEUE.PAUSED_BY, by)
        .onConflict(TENANT_QUEUE.QUEUE, TENANT_QUEUE.TENANT_ID)
        .doUpdate()
        .set(
            TENANT_QUEUE.PAUSED_AT,
            coalesce(TENANT_QUEUE.PAUSED_AT, excluded(TENANT_QUEUE.PAUSED_AT)))
        .set(
            TENANT_QUEUE.PAUSED_BY,
            coalesce(TENANT_QUEUE.PAUSED_BY, excluded(TENANT_QUEUE.PAUSED_BY)))
        .execute();
  }

  static int resume(DSLContext tx, String queue, TenantId tenant) {
    return tx.update(TENANT_QUEUE)
        .setNull(TENANT_QUEUE.PAUSED_AT)
        .setNull(TENANT_QUEUE.PAUSED_BY)
        .where(TENANT_QUEUE.QUEUE.eq(queue), TENANT_QUEUE.TENANT_ID.eq(tenant))
        .execute();
  }
}
