package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.ADVANCE_SCHEDULE;
import static io.leasehold.db.schema.Tables.HOLD_SCHEDULE;
import static io.leasehold.db.schema.Tables.SCHEDULE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.time.cron.StoredTimes;
import io.leasehold.jobs.JobId;
import java.time.Instant;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/**
 * Advances a schedule past a slot in a transaction of its tenant, or puts the schedule aside.
 * Either happens only if that slot of that revision is still the next one.
 */
final class MoveOn {

  private static final int ASIDE_AT_ONCE = 500;

  private MoveOn() {}

  /**
   * Locks a schedule until the transaction ends, and returns whether it did. It does not if another
   * transaction holds the lock, which then fires the slot.
   */
  static boolean hold(ScopedTransaction tx, DueSchedule due) {
    var held =
        HOLD_SCHEDULE.call(due.which().name(), due.revision(), StoredTimes.stored(due.slot()));
    return tx.dsl().select(held.NAME).from(held).fetchOptional().isPresent();
  }

  /**
   * Stores the next slot.
   *
   * @param next the next slot, or empty if this was the last
   * @param last the last slot that has a job, with that job, if any
   */
  static void advance(
      ScopedTransaction tx, DueSchedule due, Optional<Instant> next, Optional<Fired> last) {
    var advanced =
        ADVANCE_SCHEDULE.call(
            due.which().name(),
            due.revision(),
            StoredTimes.stored(due.slot()),
            StoredTimes.stored(next),
            StoredTimes.stored(last.map(Fired::slot)),
            last.map(fired -> fired.job().value()).orElse(null));
    tx.dsl().select(advanced.NAME).from(advanced).fetchSingle();
  }

  /** A slot and its job. */
  record Fired(Instant slot, JobId job) {}

  /**
   * Puts aside a schedule whose next slot is this slot of this revision, and stores the reason for
   * its owner. Returns whether it did. It does not if another transaction holds the lock, since the
   * engine never waits for a tenant's transaction. This runs as the engine, since the stored data
   * may not yield a valid caller.
   */
  static boolean putAside(
      DSLContext tx, DueSchedule.Key which, long revision, Instant slot, String error) {
    return putAside(
            tx,
            error,
            SCHEDULE
                .TENANT_ID
                .eq(which.tenant())
                .and(SCHEDULE.NAME.eq(which.name()))
                .and(SCHEDULE.REVISION.eq(revision))
                .and(SCHEDULE.NEXT_AT.eq(StoredTimes.stored(slot))))
        > 0;
  }

  /**
   * Puts aside schedules whose next slot is too early to be fired, and returns how many. Even
   * reading these slots would fail.
   */
  static int putTimelessAside(DSLContext tx) {
    return putAside(
        tx, "the next slot must be from 1970 on", SCHEDULE.NEXT_AT.lt(StoredTimes.EARLIEST));
  }

  private static int putAside(DSLContext tx, String error, Condition which) {
    var picked =
        name("picked")
            .asMaterialized(
                select(SCHEDULE.rowid().as("place"))
                    .from(SCHEDULE)
                    .where(which)
                    .orderBy(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
                    .limit(ASIDE_AT_ONCE)
                    .forNoKeyUpdate()
                    .skipLocked());
    return tx.with(picked)
        .update(SCHEDULE)
        .setNull(SCHEDULE.NEXT_AT)
        .set(SCHEDULE.ASIDE_AT, StoredTimes.NOW)
        .set(SCHEDULE.ERROR, error)
        .set(SCHEDULE.UPDATED_AT, StoredTimes.NOW)
        .from(table(name("picked")))
        .where(SCHEDULE.rowid().eq(field(name("picked", "place"), SQLDataType.ROWID)))
        .execute();
  }
}
