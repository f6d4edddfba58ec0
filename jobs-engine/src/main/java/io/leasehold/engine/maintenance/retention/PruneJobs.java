package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import java.time.Duration;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/** Removes jobs that finished long ago. Uses the primary key of the range's partitions. */
final class PruneJobs {

  /** Which of these jobs to remove. */
  enum Which {
    ALL,
    /** Those that have rows besides their two records, which are not dropped with a partition. */
    WITH_BELONGINGS
  }

  private PruneJobs() {}

  /** Returns how many jobs were removed. If that is {@code limit}, there may be more. */
  static int prune(DSLContext tx, IdRange range, Duration retention, Which which, int limit) {
    return RemoveJobs.remove(
            tx,
            range,
            select(OUTCOME.TENANT_ID, OUTCOME.ID)
                .from(OUTCOME)
                .where(
                    range.contains(OUTCOME.ID),
                    OUTCOME.FINISHED_AT.lt(
                        currentOffsetDateTime().sub(DayToSecond.valueOf(retention))),
                    which == Which.ALL ? noCondition() : hasBelongings())
                .orderBy(OUTCOME.TENANT_ID, OUTCOME.ID)
                .limit(limit)
                .forUpdate()
                .skipLocked())
        .size();
  }

  private static Condition hasBelongings() {
    return or(Belonging.ALL.stream().map(PruneJobs::has).toList());
  }

  private static Condition has(Belonging belonging) {
    return exists(selectOne().from(belonging.table()).where(belonging.id().eq(OUTCOME.ID)));
  }
}
