package io.leasehold.engine.time.delayed;

import static io.leasehold.db.schema.Tables.SCHEDULED;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import java.time.Duration;
import java.util.Optional;
import org.jooq.DSLContext;

/** Returns when the next job is due, by the database's clock. Uses {@code scheduled_when_due}. */
final class NextDue {

  private NextDue() {}

  /**
   * Returns the time until the next job is due, zero or less if it is due already; empty if no job
   * is scheduled.
   */
  static Optional<Duration> in(DSLContext tx) {
    return tx.select(SCHEDULED.AVAILABLE_AT, currentOffsetDateTime())
        .from(SCHEDULED)
        .orderBy(SCHEDULED.AVAILABLE_AT, SCHEDULED.ID)
        .limit(1)
        .fetchOptional(row -> Duration.between(row.value2(), row.value1()));
  }
}
