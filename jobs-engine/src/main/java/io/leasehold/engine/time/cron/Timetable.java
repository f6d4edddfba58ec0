package io.leasehold.engine.time.cron;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * When the slots of a schedule are: a cron expression on the clocks of a zone, which are put
 * forward and back.
 *
 * <p>Who names hours means so many slots a day: one that is left out comes once, at the first
 * moment after, and one that the clocks show twice comes the first time. Who says every hour means
 * hours as they pass: what is left out is not there, and what is shown twice comes twice.
 * Immutable.
 *
 * @param cron on the face of a clock
 * @param zone whose clocks
 * @param startAt before that there is no slot
 * @param endAt after that there is no slot
 */
public record Timetable(
    CronExpression cron, ZoneId zone, Optional<Instant> startAt, Optional<Instant> endAt) {

  /**
   * Reads one as it is stored.
   *
   * @throws IllegalArgumentException if its expression or its zone is not known
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

  /** The first slot behind an instant. Slots are whole seconds. */
  public Optional<Instant> next(Instant after) {
    var begin = startAt.map(it -> it.minusNanos(1)).filter(after::isBefore).orElse(after);
    var slot = cron.isOfEveryHour() ? ofHours(begin) : ofDays(begin);
    return slot.filter(it -> endAt.isEmpty() || !it.isAfter(endAt.get()));
  }

  /** The last slot until an instant, and not before one of them that is known. */
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

  // From one change of the clocks to the other, within which they do not jump.
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
        : time.atZone(zone).toInstant(); // The first time, where there are two.
  }
}
