package io.leasehold.engine.work.claim;

import static io.leasehold.db.schema.Tables.QUEUE;
import static io.leasehold.db.schema.Tables.READY;
import static io.leasehold.db.schema.Tables.TENANT_QUEUE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record3;
import org.jooq.Records;
import org.jooq.Select;
import org.jooq.impl.DSL;

/**
 * Finds where the lanes of a queue begin, except for paused ones.
 *
 * <p>Jumps from lane to lane through the index {@code ready_in_turn}, so the cost depends on the
 * number of lanes and not on the number of jobs. Deleted rows that an open snapshot keeps alive
 * still have to be skipped one by one.
 */
final class FindLanes {

  private static final Field<TenantId> TENANT =
      DSL.field(name("lane", "tenant_id"), READY.TENANT_ID.getDataType());
  private static final Field<Short> PRIORITY =
      DSL.field(name("lane", "priority"), READY.PRIORITY.getDataType());
  private static final Field<JobId> FLOOR = DSL.field(name("lane", "id"), READY.ID.getDataType());

  private FindLanes() {}

  /**
   * Finds up to {@code limit} lanes, ordered by tenant and then by priority, highest first.
   *
   * @param after the tenant after which to begin; if empty, with the first one
   */
  static List<Lane> find(DSLContext tx, String queue, Optional<TenantId> after, int limit) {
    var behind = after.map(tenant -> READY.TENANT_ID.gt(tenant)).orElse(noCondition());
    var first = first(queue, behind);
    var lower = first(queue, READY.TENANT_ID.eq(TENANT).and(READY.PRIORITY.lt(PRIORITY)));
    var further = first(queue, READY.TENANT_ID.gt(TENANT));
    var next =
        select(DSL.asterisk())
            .from(lower.unionAll(further).asTable("candidate"))
            .orderBy(
                DSL.field(name("candidate", "tenant_id")),
                DSL.field(name("candidate", "priority")).desc())
            .limit(inline(1))
            .asTable("next");
    var lane =
        name("lane")
            .fields("tenant_id", "priority", "id")
            .as(
                first.unionAll(
                    select(
                            next.field(READY.TENANT_ID),
                            next.field(READY.PRIORITY),
                            next.field(READY.ID))
                        .from(name("lane"))
                        .crossJoin(lateral(next))));
    return tx.withRecursive(lane)
        .select(TENANT, PRIORITY, FLOOR, coalesce(TENANT_QUEUE.WEIGHT, inline((short) 1)))
        .from(lane)
        .leftJoin(TENANT_QUEUE)
        .on(TENANT_QUEUE.QUEUE.eq(queue), TENANT_QUEUE.TENANT_ID.eq(TENANT))
        // Filtered here and not in the recursion, which has to continue past a paused tenant.
        .where(
            TENANT_QUEUE.PAUSED_AT.isNull(),
            notExists(
                selectOne().from(QUEUE).where(QUEUE.NAME.eq(queue), QUEUE.PAUSED_AT.isNotNull())))
        .limit(limit)
        .fetch(
            Records.mapping(
                (tenant, priority, id, weight) -> new Lane(tenant, priority, id, weight)));
  }

  private static Select<Record3<TenantId, Short, JobId>> first(String queue, Condition within) {
    return select(READY.TENANT_ID, READY.PRIORITY, READY.ID)
        .from(READY)
        .where(READY.QUEUE.eq(queue), within)
        .orderBy(READY.TENANT_ID, READY.PRIORITY.desc(), READY.ID)
        .limit(inline(1));
  }
}
