package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.SCHEDULE_V;
import static org.jooq.impl.DSL.noCondition;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.service.query.Pages;
import io.leasehold.engine.service.query.StoredHandler;
import io.leasehold.engine.time.cron.StoredTimes;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.schedules.MissedSlots;
import io.leasehold.jobs.schedules.Schedule;
import io.leasehold.jobs.schedules.SchedulePage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;

/** Reads schedules of the caller's own tenant, since names are unique only within a tenant. */
final class ReadSchedules {

  private static final List<Field<?>> COLUMNS =
      List.of(
          SCHEDULE_V.TENANT_ID,
          SCHEDULE_V.NAME,
          SCHEDULE_V.CRON,
          SCHEDULE_V.ZONE,
          SCHEDULE_V.HANDLER_ID,
          SCHEDULE_V.QUEUE,
          SCHEDULE_V.PRIORITY,
          SCHEDULE_V.JITTER_MS,
          SCHEDULE_V.MISSED,
          StoredTimes.readable(SCHEDULE_V.START_AT),
          StoredTimes.readable(SCHEDULE_V.END_AT),
          StoredTimes.readable(SCHEDULE_V.NEXT_AT),
          StoredTimes.readable(SCHEDULE_V.LAST_SLOT_AT),
          SCHEDULE_V.LAST_JOB_ID,
          SCHEDULE_V.PAUSED_AT,
          SCHEDULE_V.PAUSED_BY,
          SCHEDULE_V.ASIDE_AT,
          SCHEDULE_V.ERROR,
          SCHEDULE_V.PRINCIPAL,
          SCHEDULE_V.REVISION,
          SCHEDULE_V.CREATED_AT,
          SCHEDULE_V.UPDATED_AT);

  private ReadSchedules() {}

  /**
   * A schedule in its current state.
   *
   * @param revision the revision of the stored definition
   */
  record Stored(Schedule schedule, long revision) {}

  static Optional<Stored> find(ScopedTransaction tx, String name) {
    return tx.dsl()
        .select(COLUMNS)
        .from(SCHEDULE_V)
        .where(own(tx), SCHEDULE_V.NAME.eq(name))
        .fetchOptional(row -> new Stored(schedule(row), row.get(SCHEDULE_V.REVISION)));
  }

  static SchedulePage list(ScopedTransaction tx, Optional<String> after, int limit) {
    var schedules =
        tx.dsl()
            .select(COLUMNS)
            .from(SCHEDULE_V)
            .where(own(tx), after.<Condition>map(SCHEDULE_V.NAME::gt).orElse(noCondition()))
            .orderBy(SCHEDULE_V.NAME)
            .limit(limit + 1)
            .fetch(ReadSchedules::schedule);
    return Pages.first(schedules, limit, Schedule::name, SchedulePage::new);
  }

  private static Condition own(ScopedTransaction tx) {
    return SCHEDULE_V.TENANT_ID.eq(tx.caller().tenant());
  }

  private static Schedule schedule(Record row) {
    return new Schedule(
        row.get(SCHEDULE_V.TENANT_ID),
        row.get(SCHEDULE_V.NAME),
        row.get(SCHEDULE_V.CRON),
        row.get(SCHEDULE_V.ZONE),
        StoredHandler.of(row.get(SCHEDULE_V.HANDLER_ID)),
        row.get(SCHEDULE_V.QUEUE),
        row.get(SCHEDULE_V.PRIORITY),
        Duration.ofMillis(row.get(SCHEDULE_V.JITTER_MS)),
        MissedSlots.of(row.get(SCHEDULE_V.MISSED)),
        StoredTimes.instant(row.get(SCHEDULE_V.START_AT)),
        StoredTimes.instant(row.get(SCHEDULE_V.END_AT)),
        StoredTimes.instant(row.get(SCHEDULE_V.NEXT_AT)),
        StoredTimes.instant(row.get(SCHEDULE_V.LAST_SLOT_AT)),
        Optional.ofNullable(row.get(SCHEDULE_V.LAST_JOB_ID)).map(JobId::new),
        StoredTimes.instant(row.get(SCHEDULE_V.PAUSED_AT))
            .map(at -> new Schedule.Pause(at, row.get(SCHEDULE_V.PAUSED_BY))),
        StoredTimes.instant(row.get(SCHEDULE_V.ASIDE_AT))
            .map(at -> new Schedule.Fault(at, row.get(SCHEDULE_V.ERROR))),
        row.get(SCHEDULE_V.PRINCIPAL),
        row.get(SCHEDULE_V.CREATED_AT).toInstant(),
        row.get(SCHEDULE_V.UPDATED_AT).toInstant());
  }
}
