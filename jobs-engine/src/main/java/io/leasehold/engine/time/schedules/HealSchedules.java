package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.SCHEDULE;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.leasehold.engine.time.cron.StoredTimes;
import io.leasehold.engine.time.cron.Timetable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.types.DayToSecond;

/**
 * Recomputes the next slots of schedules that were computed at a time which now lies in the future,
 * because the database's clock has gone back since.
 *
 * <p>A schedule for every hour follows the hours as they pass, so its slots repeat. A schedule that
 * names hours does not repeat the slots that it has fired: its next slot is after the last fired
 * one. Rows locked by other transactions are skipped. Uses {@code schedule_when_reckoned}.
 */
final class HealSchedules {

  /** A clock may be corrected by this much, and two transactions' times may differ by it. */
  private static final DayToSecond SECOND = new DayToSecond(0, 0, 0, 1);

  private static final Condition IS_AHEAD =
      SCHEDULE
          .NEXT_AT
          .isNotNull()
          .and(StoredTimes.isReadable(SCHEDULE.NEXT_AT))
          .and(SCHEDULE.RECKONED_AT.gt(currentOffsetDateTime().add(SECOND)))
          .and(SCHEDULE.RECKONED_AT.gt(StoredTimes.NOW));

  private HealSchedules() {}

  /** Returns whether any schedule is ahead of the clock. */
  static boolean isNeeded(DSLContext tx) {
    return tx.fetchExists(SCHEDULE, IS_AHEAD);
  }

  /** Heals up to {@code limit} schedules, and returns how many. */
  static int heal(DSLContext tx, int limit) {
    var ahead =
        tx.select(
                SCHEDULE.TENANT_ID,
                SCHEDULE.NAME,
                SCHEDULE.CRON,
                SCHEDULE.ZONE,
                StoredTimes.readable(SCHEDULE.START_AT),
                StoredTimes.readable(SCHEDULE.END_AT),
                SCHEDULE.NEXT_AT,
                StoredTimes.readable(SCHEDULE.LAST_SLOT_AT),
                StoredTimes.NOW)
            .from(SCHEDULE)
            .where(IS_AHEAD)
            .orderBy(SCHEDULE.RECKONED_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
            .limit(limit)
            .forNoKeyUpdate()
            .skipLocked()
            .fetch();
    ahead.forEach(schedule -> heal(tx, schedule));
    return ahead.size();
  }

  private static void heal(DSLContext tx, Record schedule) {
    var known = schedule.get(SCHEDULE.NEXT_AT);
    var next = next(schedule).map(StoredTimes::stored).filter(known::isAfter);
    tx.update(SCHEDULE)
        .set(SCHEDULE.NEXT_AT, next.orElse(known))
        .set(SCHEDULE.REWINDS, SCHEDULE.REWINDS.add(next.isPresent() ? 1 : 0))
        .set(SCHEDULE.RECKONED_AT, StoredTimes.NOW)
        .where(
            SCHEDULE.TENANT_ID.eq(schedule.get(SCHEDULE.TENANT_ID)),
            SCHEDULE.NAME.eq(schedule.get(SCHEDULE.NAME)))
        .execute();
  }

  // Empty for a schedule that cannot be parsed: it is put aside when its slot comes.
  private static Optional<Instant> next(Record schedule) {
    try {
      var timetable =
          Timetable.of(
              schedule.get(SCHEDULE.CRON),
              schedule.get(SCHEDULE.ZONE),
              StoredTimes.instant(schedule.get(SCHEDULE.START_AT)),
              StoredTimes.instant(schedule.get(SCHEDULE.END_AT)));
      return timetable.next(from(timetable, schedule));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Instant from(Timetable timetable, Record schedule) {
    var now = schedule.get(StoredTimes.NOW).toInstant();
    return Optional.ofNullable(schedule.get(SCHEDULE.LAST_SLOT_AT))
        .map(OffsetDateTime::toInstant)
        .filter(last -> last.isAfter(now) && !timetable.cron().isOfEveryHour())
        .orElse(now);
  }
}
