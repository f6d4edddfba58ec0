package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.TURN;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;

import io.leasehold.jobs.TenantId;
import org.jooq.DSLContext;

/** Pauses a tenant in a queue, and resumes it. Who paused it first, and its weight, are kept. */
final class PauseTenant {

  private PauseTenant() {}

  static int pause(DSLContext tx, String queue, TenantId tenant, String by) {
    return tx.insertInto(TURN)
        .set(TURN.QUEUE, queue)
        .set(TURN.TENANT_ID, tenant)
        .set(TURN.PAUSED_AT, currentOffsetDateTime())
        .set(TURN.PAUSED_BY, by)
        .onConflict(TURN.QUEUE, TURN.TENANT_ID)
        .doUpdate()
        .set(TURN.PAUSED_AT, coalesce(TURN.PAUSED_AT, excluded(TURN.PAUSED_AT)))
        .set(TURN.PAUSED_BY, coalesce(TURN.PAUSED_BY, excluded(TURN.PAUSED_BY)))
        .execute();
  }

  static int resume(DSLContext tx, String queue, TenantId tenant) {
    return tx.update(TURN)
        .setNull(TURN.PAUSED_AT)
        .setNull(TURN.PAUSED_BY)
        .where(TURN.QUEUE.eq(queue), TURN.TENANT_ID.eq(tenant))
        .execute();
  }
}
