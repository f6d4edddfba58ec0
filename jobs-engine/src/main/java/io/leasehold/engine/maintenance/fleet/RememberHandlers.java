package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.HANDLER;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import io.leasehold.jobs.HandlerId;
import java.time.Duration;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Row2;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;

/**
 * Records which handlers exist. Writes only entries that are new, changed or older than a minute,
 * so that most sign-ins of a worker only read a few rows.
 */
final class RememberHandlers {

  private static final Duration FRESH = Duration.ofMinutes(1);
  private static final Field<String> ID = field(name("registered", "handler_id"), SQLDataType.CLOB);
  private static final Field<String> QUEUE = field(name("registered", "queue"), SQLDataType.CLOB);

  private RememberHandlers() {}

  static void remember(DSLContext tx, Map<HandlerId, String> handlers) {
    if (handlers.isEmpty()) {
      return;
    }
    var registered = DSL.values(rows(handlers)).as("registered", "handler_id", "queue");
    var fresh = currentOffsetDateTime().sub(DayToSecond.valueOf(FRESH));
    tx.insertInto(HANDLER, HANDLER.HANDLER_ID, HANDLER.QUEUE, HANDLER.SEEN_AT)
        .select(
            select(ID, QUEUE, currentOffsetDateTime())
                .from(registered)
                .leftJoin(HANDLER)
                .on(HANDLER.HANDLER_ID.eq(ID))
                .where(
                    HANDLER
                        .HANDLER_ID
                        .isNull()
                        .or(HANDLER.QUEUE.ne(QUEUE))
                        .or(HANDLER.SEEN_AT.lt(fresh)))
                .orderBy(ID)) // A fixed order, so that two workers wait and do not deadlock.
        .onConflict(HANDLER.HANDLER_ID)
        .doUpdate()
        .set(HANDLER.QUEUE, excluded(HANDLER.QUEUE))
        .set(HANDLER.SEEN_AT, excluded(HANDLER.SEEN_AT))
        .execute();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of a generic type.
  private static Row2<String, String>[] rows(Map<HandlerId, String> handlers) {
    return handlers.entrySet().stream()
        .map(entry -> row(entry.getKey().value(), entry.getValue()))
        .toArray(Row2[]::new);
  }
}
