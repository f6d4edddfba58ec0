package io.leasehold.engine.maintenance.dependencies;

import static io.leasehold.db.schema.Tables.DEPENDENCY_NOTE;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.selectOne;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Counts overdue notes about jobs that wait for other jobs. Such jobs start late. */
public final class OverdueNotes {

  /** How long after its due time a note counts as overdue. */
  public static final Duration LATE = Duration.ofSeconds(10);

  private OverdueNotes() {}

  /** Counts up to {@code most} notes. */
  public static int count(DSLContext tx, int most) {
    return tx.fetchCount(
        selectOne()
            .from(DEPENDENCY_NOTE)
            .where(
                DEPENDENCY_NOTE.DUE_AT.lt(currentOffsetDateTime().minus(DayToSecond.valueOf(LATE))))
            .limit(inline(most))); // Uses dependency_note_when_due.
  }
}
