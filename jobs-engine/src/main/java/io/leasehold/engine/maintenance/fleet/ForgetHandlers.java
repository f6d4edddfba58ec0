package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.HANDLER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Forgets handlers that no worker had for long. */
final class ForgetHandlers {

  private ForgetHandlers() {}

  /** Answers how many were forgotten. */
  static int unseenFor(DSLContext tx, Duration unseen) {
    return tx.deleteFrom(HANDLER)
        .where(HANDLER.SEEN_AT.lt(currentOffsetDateTime().sub(DayToSecond.valueOf(unseen))))
        .execute();
  }
}
