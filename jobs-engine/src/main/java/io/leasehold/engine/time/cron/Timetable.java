package io.leasehold.engine.time.cron;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * The slots of a schedule: a cron expression on the clocks of a zone, including their changes for
 * daylight saving time.
 *
 * <p>An expression that names hours has a fixed number of slots a day. A slot in the hour that the
 * clocks skip fires once, at the first moment after the gap. A slot in the hour that the clocks
 * repeat fires the first time only. An expression for every hour follows the hours as they pass:
 * skipped hours have no slots, and repeated hours have slots twice. Immutable.
 *
 * @param cron the expression for local times
 * @param zone the zone whose clocks apply
 * @param startAt there are no slots before this instant
 * @param endAt there are no slots after this instant
 */
public record Timetable(
    CronExpression cron, ZoneId zone, Optional<Instant> startAt, Optional<Instant> endAt) {

  /**
   * Parses a stored timetable.
   *
   * @throws IllegalArgumentException if its expression is invalid or its zone is unknown
   */
  public static Timetable of(
      String cron, String zone, Optional<Instant> startAt, Optional<Instant> endAt) {
    try {
      return new Timetable(CronExpression.of(cron), ZoneId.of(zone), startAt, endAt);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "zone must be one that this process knows, not '%s'".formatted(zone), e);
    }
  }

  /** Returns the first slot after an instant. Slots are whole seconds. */
  public Optional<Instant> next(Instant after) {
    var begin = startAt.map(it -> it.minusNanos(1)).filter(after::isBefore).orElse(after);
    var slot = cron.isOfEveryHour() ? ofHours(begin) : ofDays(begin);
    return slot.filter(it -> endAt.isEmpty() || !it.isAfter(endAt.get()));
  }

  /** Returns the last slot up to {@code until}, starting from the known slot {@code known}. */
  public Instant last(Instant known, Instant until) {
    var slot = known;
    var latest = until;
    var next = next(slot);
    while (next.isPresent() && !next.get().isAfter(latest)) {
      slot = next.get();
      var half = slot.plusSeconds((latest.getEpochSecond() - slot.getEpochSecond()) / 2);
      var beyond = next(half).filter(it -> !it.isAfter(until));
      if (beyond.isPresent()) {
        slot = beyond.get();
      } else {
        latest = half;
      }
      next = next(slot);
    }
    return slot;
  }

  // Searches from one change of the clocks to the next. Between two changes the clocks do not jump.
  private Optional<Instant> ofHours(Instant after) {
    var rules = zone.getRules();
    var from = after;
    var local = LocalDateTime.ofInstant(from, zone);
    while (true) {
      var time = cron.next(local);
      if (time.isEmpty()) {
        return Optional.empty();
      }
      var slot = time.get().toInstant(rules.getOffset(from));
      var change = rules.nextTransition(from);
      if (change == null || slot.isBefore(change.getInstant())) {
        return Optional.of(slot);
      }
      from = change.getInstant();
      local = change.getDateTimeAfter().minusSeconds(1);
    }
  }

  private Optional<Instant> ofDays(Instant after) {
    var local = LocalDateTime.ofInstant(after, zone);
    var change = zone.getRules().getTransition(local);
    if (isSecondTime(change, after)) {
      local = change.getDateTimeBefore().minusSeconds(1);
    }
    return cron.next(local).map(this::onceADay);
  }

  private static boolean isSecondTime(ZoneOffsetTransition change, Instant instant) {
    return change != null && change.isOverlap() && !instant.isBefore(change.getInstant());
  }

  private Instant onceADay(LocalDateTime time) {
    var change = zone.getRules().getTransition(time);
    return change != null && change.isGap()
        ? change.getInstant()
        : time.atZone(zone).toInstant(); // The first one, if the time occurs twice.
  }
}
