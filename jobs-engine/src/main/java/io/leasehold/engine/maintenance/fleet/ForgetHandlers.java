package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.HANDLER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Deletes handlers that no worker has had for a long time. */
final class ForgetHandlers {

  private ForgetHandlers() {}

  /** Returns how many handlers were deleted. */
  static int unseenFor(DSLContext tx, Duration unseen) {
    return tx.deleteFrom(HANDLER)
        .where(HANDLER.SEEN_AT.lt(currentOffsetDateTime().sub(DayToSecond.valueOf(unseen))))
        .execute();
  }
}
