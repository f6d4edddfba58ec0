package io.leasehold.engine.upkeep.remove;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.CHECKPOINT;
import static io.leasehold.db.schema.Tables.EVENT;
import static io.leasehold.db.schema.Tables.JOB_KEY;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static io.leasehold.db.schema.Tables.PROGRESS;
import static io.leasehold.db.schema.Tables.STEP;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import io.leasehold.jobs.JobId;
import java.time.Duration;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.types.DayToSecond;

/** Removes jobs that ended long ago. Uses the primary key of the range's partitions. */
final class PruneJobs {

  /** Which of them. */
  enum Which {
    ALL,
    /** Those that have rows besides their two records, which do not go with a partition. */
    WITH_BELONGINGS
  }

  private PruneJobs() {}

  /** Answers how many were removed: the limit, if there may be more. */
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
    return has(ATTEMPT, ATTEMPT.ID)
        .or(has(JOB_KEY, JOB_KEY.ID))
        .or(has(PROGRESS, PROGRESS.ID))
        .or(has(EVENT, EVENT.ID))
        .or(has(STEP, STEP.ID))
        .or(has(CHECKPOINT, CHECKPOINT.ID));
  }

  private static Condition has(Table<?> table, TableField<?, JobId> id) {
    return exists(selectOne().from(table).where(id.eq(OUTCOME.ID)));
  }
}
