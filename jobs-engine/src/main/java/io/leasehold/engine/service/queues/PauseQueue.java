package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.QUEUE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;

import org.jooq.DSLContext;

/**
 * Pauses and resumes a queue for all tenants. The record of the first pause is kept, with the
 * principal who made it.
 */
final class PauseQueue {

  private PauseQueue() {}

  static int pause(DSLContext tx, String queue, String by) {
    return tx.insertInto(QUEUE)
        .set(QUEUE.NAME, queue)
        .set(QUEUE.PAUSED_AT, currentOffsetDateTime())
        .set(QUEUE.PAUSED_BY, by)
        .onConflict(QUEUE.NAME)
        .doUpdate()
        .set(QUEUE.PAUSED_AT, coalesce(QUEUE.PAUSED_AT, excluded(QUEUE.PAUSED_AT)))
        .set(QUEUE.PAUSED_BY, coalesce(QUEUE.PAUSED_BY, excluded(QUEUE.PAUSED_BY)))
        .execute();
  }

  static int resume(DSLContext tx, String queue) {
    return tx.update(QUEUE)
        .setNull(QUEUE.PAUSED_AT)
        .setNull(QUEUE.PAUSED_BY)
        .where(QUEUE.NAME.eq(queue))
        .execute();
  }
}
