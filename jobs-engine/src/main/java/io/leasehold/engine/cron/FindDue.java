package io.leasehold.engine.cron;

import static io.leasehold.db.schema.Tables.SCHEDULE;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Finds schedules whose next slot has come, of all tenants. Uses {@code schedule_when_due}. */
final class FindDue {

  private FindDue() {}

  /**
   * A schedule that is due, among all that are.
   *
   * @param slot that is next
   * @param which it is
   */
  record Place(OffsetDateTime slot, DueSchedule.Key which) {}

  /** Those that have been due for longest, behind another: no more of them than which they are. */
  static List<Place> places(DSLContext tx, Optional<Place> after, int limit) {
    return tx.select(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .from(SCHEDULE)
        .where(
            SCHEDULE.NEXT_AT.le(currentOffsetDateTime()),
            after.<Condition>map(FindDue::isBehind).orElse(noCondition()))
        .orderBy(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .limit(limit)
        .fetch(row -> new Place(row.value1(), new DueSchedule.Key(row.value2(), row.value3())));
  }

  private static Condition isBehind(Place its) {
    return row(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .gt(its.slot(), its.which().tenant(), its.which().name());
  }

  /** All of those that are due still, in no particular order. */
  static List<DueSchedule> load(DSLContext tx, Collection<DueSchedule.Key> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    return tx.select(SCHEDULE.fields())
        .select(Times.NOW)
        .from(SCHEDULE)
        .where(
            row(SCHEDULE.TENANT_ID, SCHEDULE.NAME)
                .in(keys.stream().map(its -> row(its.tenant(), its.name())).toList()),
            SCHEDULE.NEXT_AT.le(currentOffsetDateTime()))
        .fetch(FindDue::due);
  }

  /** How long until the next one is due, by the database's clock; nothing if none has a slot. */
  static Optional<Duration> next(DSLContext tx) {
    return tx.select(SCHEDULE.NEXT_AT, Times.NOW)
        .from(SCHEDULE)
        .where(SCHEDULE.NEXT_AT.isNotNull())
        .orderBy(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .limit(1)
        .fetchOptional(row -> Duration.between(row.value2(), row.value1()));
  }

  private static DueSchedule due(Record row) {
    return new DueSchedule(
        new DueSchedule.Key(row.get(SCHEDULE.TENANT_ID), row.get(SCHEDULE.NAME)),
        row.get(SCHEDULE.REVISION),
        row.get(SCHEDULE.NEXT_AT).toInstant(),
        row.get(Times.NOW).toInstant(),
        plan(row),
        template(row));
  }

  private static DueSchedule.Plan plan(Record row) {
    return new DueSchedule.Plan(
        row.get(SCHEDULE.CRON),
        row.get(SCHEDULE.ZONE),
        Times.instant(row.get(SCHEDULE.START_AT)),
        Times.instant(row.get(SCHEDULE.END_AT)),
        Duration.ofMillis(row.get(SCHEDULE.JITTER_MS)),
        row.get(SCHEDULE.MISSED));
  }

  private static DueSchedule.Template template(Record row) {
    return new DueSchedule.Template(
        row.get(SCHEDULE.HANDLER_ID),
        row.get(SCHEDULE.QUEUE),
        row.get(SCHEDULE.PRIORITY),
        row.get(SCHEDULE.MAX_ATTEMPTS),
        Optional.ofNullable(row.get(SCHEDULE.TIME_LIMIT_MS)).map(Duration::ofMillis),
        row.get(SCHEDULE.INPUT),
        Optional.ofNullable(row.get(SCHEDULE.METADATA)),
        row.get(SCHEDULE.PRINCIPAL));
  }
}
