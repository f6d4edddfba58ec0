package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.QUEUE;
import static io.leasehold.db.schema.Tables.TENANT_QUEUE;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.leasehold.engine.JobQueues;
import io.leasehold.jobs.TenantId;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Records;
import org.jspecify.annotations.Nullable;

/** Lists paused queues and paused or weighted tenants; queues come before their tenants. */
final class ListSettings {

  private ListSettings() {}

  static List<JobQueues.Setting> list(DSLContext tx) {
    var settings =
        select(
                QUEUE.NAME.as("queue"),
                castNull(TENANT_QUEUE.TENANT_ID).as("tenant_id"),
                QUEUE.PAUSED_AT,
                QUEUE.PAUSED_BY,
                inline((short) 1).as("weight"))
            .from(QUEUE)
            .where(QUEUE.PAUSED_AT.isNotNull())
            .unionAll(
                select(
                        TENANT_QUEUE.QUEUE,
                        TENANT_QUEUE.TENANT_ID,
                        TENANT_QUEUE.PAUSED_AT,
                        TENANT_QUEUE.PAUSED_BY,
                        TENANT_QUEUE.WEIGHT)
                    .from(TENANT_QUEUE)
                    .where(
                        TENANT_QUEUE
                            .PAUSED_AT
                            .isNotNull()
                            .or(TENANT_QUEUE.WEIGHT.ne(inline((short) 1)))))
            .asTable("setting");
    return tx.selectFrom(settings)
        .orderBy(
            field(name("setting", "queue")), field(name("setting", "tenant_id")).asc().nullsFirst())
        .fetch(Records.mapping(ListSettings::setting));
  }

  private static JobQueues.Setting setting(
      String queue,
      @Nullable TenantId tenant,
      @Nullable OffsetDateTime pausedAt,
      @Nullable String pausedBy,
      short weight) {
    var pause =
        pausedAt == null || pausedBy == null
            ? Optional.<JobQueues.Pause>empty()
            : Optional.of(new JobQueues.Pause(pausedAt.toInstant(), pausedBy));
    return new JobQueues.Setting(queue, Optional.ofNullable(tenant), pause, weight);
  }
}
