package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.TURN;
import static org.jooq.impl.DSL.excluded;

import io.leasehold.jobs.TenantId;
import org.jooq.DSLContext;

/** Says how many turns a tenant gets in a queue. */
final class WeighTenant {

  private WeighTenant() {}

  static int weigh(DSLContext tx, String queue, TenantId tenant, short weight) {
    return tx.insertInto(TURN)
        .set(TURN.QUEUE, queue)
        .set(TURN.TENANT_ID, tenant)
        .set(TURN.WEIGHT, weight)
        .onConflict(TURN.QUEUE, TURN.TENANT_ID)
        .doUpdate()
        .set(TURN.WEIGHT, excluded(TURN.WEIGHT))
        .execute();
  }
}
