package io.leasehold.engine.time.schedules;

import static io.leasehold.db.schema.Tables.SCHEDULE;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.when;

import io.leasehold.db.schema.Routines;
import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.time.cron.StoredTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.types.DayToSecond;

/** Finds schedules of all tenants whose next slot has come. Uses {@code schedule_when_due}. */
final class FindDue {

  /** {@link MoveOn#putTimelessAside} handles times that are no valid slots. */
  private static final Condition IS_DUE =
      SCHEDULE.NEXT_AT.ge(StoredTimes.EARLIEST).and(SCHEDULE.NEXT_AT.le(currentOffsetDateTime()));

  private static final String PROBLEM_NAME = "problem";
  private static final Field<String> PROBLEM =
      Routines.scheduleProblem(
          SCHEDULE.CRON,
          SCHEDULE.ZONE,
          SCHEDULE.START_AT,
          SCHEDULE.END_AT,
          SCHEDULE.HANDLER_ID,
          SCHEDULE.QUEUE,
          SCHEDULE.PRIORITY,
          SCHEDULE.MAX_ATTEMPTS,
          SCHEDULE.TIME_LIMIT_MS,
          SCHEDULE.INPUT,
          SCHEDULE.METADATA,
          SCHEDULE.PRINCIPAL,
          SCHEDULE.NEXT_AT);

  private FindDue() {}

  /**
   * The position of a due schedule among all that are due.
   *
   * @param slot the next slot
   * @param which the key of the schedule
   */
  record Place(OffsetDateTime slot, DueSchedule.Key which) {}

  /**
   * Returns the schedules that have been due for longest, after {@code after}. Only their positions
   * are read.
   */
  static List<Place> places(DSLContext tx, Optional<Place> after, int limit) {
    return tx.select(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .from(SCHEDULE)
        .where(IS_DUE, after.<Condition>map(FindDue::isBehind).orElse(noCondition()))
        .orderBy(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .limit(limit)
        .fetch(row -> new Place(row.value1(), new DueSchedule.Key(row.value2(), row.value3())));
  }

  private static Condition isBehind(Place place) {
    return row(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .gt(place.slot(), place.which().tenant(), place.which().name());
  }

  /**
   * The result of reading due schedules.
   *
   * @param due the schedules that can be fired
   * @param unreadable the schedules that cannot be fired
   */
  record Loaded(List<DueSchedule> due, List<Unreadable> unreadable) {}

  /**
   * A schedule that no process can read. Earlier versions let a tenant's SQL store such a row.
   *
   * @param which the key of the schedule
   * @param revision the revision of the stored definition
   * @param slot the next slot
   * @param problem a description for the schedule's owner
   */
  record Unreadable(DueSchedule.Key which, long revision, Instant slot, String problem) {}

  /**
   * Returns those of the schedules that are still due, in no particular order. Each row is parsed
   * separately.
   */
  static Loaded load(DSLContext tx, Collection<DueSchedule.Key> keys) {
    var loaded = new Loaded(new ArrayList<>(), new ArrayList<>());
    if (!keys.isEmpty()) {
      rows(tx, keys).forEach(row -> read(row, loaded));
    }
    return loaded;
  }

  // A value that is unreadable or too large stays in the database.
  private static Result<? extends Record> rows(DSLContext tx, Collection<DueSchedule.Key> keys) {
    return tx.select(
            SCHEDULE.TENANT_ID,
            SCHEDULE.NAME,
            SCHEDULE.REVISION,
            SCHEDULE.NEXT_AT,
            SCHEDULE.REWINDS,
            SCHEDULE.CRON,
            SCHEDULE.ZONE,
            readable(SCHEDULE.START_AT),
            readable(SCHEDULE.END_AT),
            SCHEDULE.JITTER_MS,
            SCHEDULE.MISSED,
            readable(SCHEDULE.HANDLER_ID),
            SCHEDULE.QUEUE,
            SCHEDULE.PRIORITY,
            SCHEDULE.MAX_ATTEMPTS,
            SCHEDULE.TIME_LIMIT_MS,
            readable(SCHEDULE.INPUT),
            readable(SCHEDULE.METADATA),
            readable(SCHEDULE.PRINCIPAL))
        .select(PROBLEM.as(PROBLEM_NAME), StoredTimes.NOW)
        .from(SCHEDULE)
        .where(
            row(SCHEDULE.TENANT_ID, SCHEDULE.NAME)
                .in(keys.stream().map(key -> row(key.tenant(), key.name())).toList()),
            IS_DUE)
        .fetch();
  }

  private static <T> Field<T> readable(Field<T> column) {
    return when(PROBLEM.isNull(), column).as(column);
  }

  private static void read(Record row, Loaded loaded) {
    var problem = row.get(PROBLEM_NAME, String.class);
    if (problem != null) {
      loaded.unreadable().add(unreadable(row, problem));
      return;
    }
    try {
      loaded.due().add(due(row));
    } catch (RuntimeException e) { // An exception caused by a row must affect this row only.
      loaded.unreadable().add(unreadable(row, ErrorText.of(e)));
    }
  }

  private static Unreadable unreadable(Record row, String problem) {
    return new Unreadable(key(row), row.get(SCHEDULE.REVISION), slot(row), problem);
  }

  /**
   * Returns the time until the next schedule is due, by the database's clock; empty if no schedule
   * has a slot.
   */
  static Optional<Duration> next(DSLContext tx) {
    // An infinite slot counts as a distant one.
    var next = least(SCHEDULE.NEXT_AT, StoredTimes.NOW.add(new DayToSecond(1)));
    return tx.select(next, StoredTimes.NOW)
        .from(SCHEDULE)
        .where(SCHEDULE.NEXT_AT.ge(StoredTimes.EARLIEST))
        .orderBy(SCHEDULE.NEXT_AT, SCHEDULE.TENANT_ID, SCHEDULE.NAME)
        .limit(1)
        .fetchOptional(row -> Duration.between(row.value2(), row.value1()));
  }

  private static DueSchedule due(Record row) {
    return new DueSchedule(
        key(row),
        row.get(SCHEDULE.REVISION),
        slot(row),
        row.get(StoredTimes.NOW).toInstant(),
        row.get(SCHEDULE.REWINDS),
        plan(row),
        template(row));
  }

  private static DueSchedule.Key key(Record row) {
    return new DueSchedule.Key(row.get(SCHEDULE.TENANT_ID), row.get(SCHEDULE.NAME));
  }

  private static Instant slot(Record row) {
    return row.get(SCHEDULE.NEXT_AT).toInstant();
  }

  private static DueSchedule.Plan plan(Record row) {
    return new DueSchedule.Plan(
        row.get(SCHEDULE.CRON),
        row.get(SCHEDULE.ZONE),
        StoredTimes.instant(row.get(SCHEDULE.START_AT)),
        StoredTimes.instant(row.get(SCHEDULE.END_AT)),
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
