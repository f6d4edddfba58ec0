package io.leasehold.engine.time.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * In Berlin the clocks go forward from 2 to 3 on 2026-03-29, and back from 3 to 2 on 2026-10-25.
 */
class TimetableTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final LocalDate FORWARD = LocalDate.of(2026, 3, 29);
  private static final LocalDate BACK = LocalDate.of(2026, 10, 25);

  private static Timetable in(ZoneId zone, String cron) {
    return new Timetable(CronExpression.of(cron), zone, Optional.empty(), Optional.empty());
  }

  private static List<Instant> all(Timetable timetable, Instant from, Instant beyond) {
    var slots = new ArrayList<Instant>();
    var slot = timetable.next(from.minusSeconds(1));
    while (slot.isPresent() && slot.get().isBefore(beyond)) {
      slots.add(slot.get());
      slot = timetable.next(slot.get());
    }
    return slots;
  }

  /** All slots of a day, as the clocks show them, with the offset. */
  private static List<String> on(LocalDate day, String cron) {
    return on(day, BERLIN, cron);
  }

  private static List<String> on(LocalDate day, ZoneId zone, String cron) {
    var begin = day.atStartOfDay(zone).toInstant();
    var end = day.plusDays(1).atStartOfDay(zone).toInstant();
    return all(in(zone, cron), begin, end).stream()
        .map(it -> it.atZone(zone).toOffsetDateTime())
        .map(it -> it.toLocalTime() + " " + it.getOffset())
        .toList();
  }

  @Nested
  class WhenClocksGoForward {

    @Test
    void aSlotInTheGapMovesToTheEndOfTheGap() {
      assertThat(on(FORWARD, "30 2 * * *")).containsExactly("03:00 +02:00");
    }

    @Test
    void manySlotsInTheGapBecomeOne() {
      assertThat(on(FORWARD, "*/5 2 * * *")).containsExactly("03:00 +02:00");
    }

    @Test
    void aSlotAtTheEndOfTheGapIsNotDoubled() {
      assertThat(on(FORWARD, "0 2,3 * * *")).containsExactly("03:00 +02:00");
      assertThat(on(FORWARD, "30 1-3 * * *"))
          .containsExactly("01:30 +01:00", "03:00 +02:00", "03:30 +02:00");
    }

    @Test
    void everyHourHasTwentyThreeSlotsInSpring() {
      var slots = on(FORWARD, "30 * * * *");

      assertThat(slots).hasSize(23).contains("01:30 +01:00", "03:30 +02:00");
      assertThat(slots).noneMatch(it -> it.startsWith("02"));
    }

    @Test
    void everyMinuteIsAMinuteFromTheNext() {
      requireEven("* * * * *", FORWARD, Duration.ofMinutes(1), 23 * 60);
    }

    @Test
    void everySecondIsASecondFromTheNext() {
      requireEven("* * * * * *", FORWARD, Duration.ofSeconds(1), 23 * 3_600);
    }

    @Test
    void timesOutsideTheGapAreUnchanged() {
      assertThat(on(FORWARD, "0 0,12 * * *")).containsExactly("00:00 +01:00", "12:00 +02:00");
    }
  }

  @Nested
  class WhenClocksGoBack {

    @Test
    void aRepeatedTimeIsASlotTheFirstTime() {
      assertThat(on(BACK, "30 2 * * *")).containsExactly("02:30 +02:00");
      assertThat(on(BACK, "0 2 * * *")).containsExactly("02:00 +02:00");
      assertThat(on(BACK, "*/20 2 * * *"))
          .containsExactly("02:00 +02:00", "02:20 +02:00", "02:40 +02:00");
    }

    @Test
    void aTimeAfterTheRepeatedHourIsOneSlot() {
      assertThat(on(BACK, "0 1,2,3 * * *"))
          .containsExactly("01:00 +02:00", "02:00 +02:00", "03:00 +01:00");
    }

    @Test
    void everyHourHasTwentyFiveSlotsInAutumn() {
      assertThat(on(BACK, "30 * * * *"))
          .hasSize(25)
          .containsSubsequence("02:30 +02:00", "02:30 +01:00", "03:30 +01:00");
    }

    @Test
    void everyMinuteIsAMinuteFromTheNext() {
      requireEven("* * * * *", BACK, Duration.ofMinutes(1), 25 * 60);
    }

    @Test
    void everySecondIsASecondFromTheNext() {
      requireEven("* * * * * *", BACK, Duration.ofSeconds(1), 25 * 3_600);
    }

    @Test
    void theRepeatedHourHasNoSlotTheSecondTime() {
      var secondTime = Instant.parse("2026-10-25T01:10:00Z");

      assertThat(in(BERLIN, "30 2 * * *").next(secondTime))
          .contains(Instant.parse("2026-10-26T01:30:00Z"));
      assertThat(in(BERLIN, "0 3 * * *").next(secondTime))
          .contains(Instant.parse("2026-10-25T02:00:00Z"));
    }
  }

  private static void requireEven(String cron, LocalDate day, Duration apart, int count) {
    var begin = day.atStartOfDay(BERLIN).toInstant();
    var slots = all(in(BERLIN, cron), begin, day.plusDays(1).atStartOfDay(BERLIN).toInstant());

    assertThat(slots).hasSize(count);
    for (var i = 0; i < count; i++) {
      assertThat(slots.get(i)).isEqualTo(begin.plus(apart.multipliedBy(i)));
    }
  }

  /** Where they change by half an hour, from 2:00 to 1:30. */
  @Test
  void handlesZonesWithOtherTransitions() {
    var lordHowe = ZoneId.of("Australia/Lord_Howe");
    var back = LocalDate.of(2026, 4, 5);

    assertThat(on(back, lordHowe, "45 1 * * *")).containsExactly("01:45 +11:00");
    assertThat(on(back, lordHowe, "45 * * * *"))
        .hasSize(25)
        .containsSubsequence("01:45 +11:00", "01:45 +10:30");
  }

  /** Where a whole day was left out, to be on the other side of the date line. */
  @Test
  void skipsADayThatAZoneLeftOut() {
    var apia = in(ZoneId.of("Pacific/Apia"), "0 10 * * *");
    var before = Instant.parse("2011-12-29T20:00:00Z");

    assertThat(apia.next(before)).contains(Instant.parse("2011-12-30T10:00:00Z"));
  }

  @Test
  void theNextSlotIsAlwaysLater() {
    for (var cron : List.of("*/7 * * * *", "*/7 1-3 * * *", "0 2 * * *", "*/13 */2 * * *")) {
      for (var day : List.of(FORWARD, BACK)) {
        var timetable = in(BERLIN, cron);
        var at = day.atStartOfDay(BERLIN).toInstant();
        for (var i = 0; i < 30 * 60; i++) {
          at = at.plusSeconds(60);
          assertThat(timetable.next(at).orElseThrow()).as(cron).isAfter(at);
          assertThat(timetable.next(at.minusNanos(1)).orElseThrow()).isAfterOrEqualTo(at);
        }
      }
    }
  }

  @Test
  void hasNoSlotOutsideOfItsSpan() {
    var daily =
        new Timetable(
            CronExpression.of("0 8 * * *"),
            ZoneOffset.UTC,
            Optional.of(Instant.parse("2026-11-20T08:00:00Z")),
            Optional.of(Instant.parse("2026-11-21T08:00:00Z")));

    assertThat(all(daily, Instant.EPOCH, Instant.parse("2030-01-01T00:00:00Z")))
        .containsExactly(
            Instant.parse("2026-11-20T08:00:00Z"), Instant.parse("2026-11-21T08:00:00Z"));
  }

  @Test
  void aSlotAtTheGivenTimeIsTheLast() {
    var known = Instant.parse("2026-11-18T07:00:00Z");
    var until = Instant.parse("2026-11-20T07:00:00Z");

    assertThat(in(BERLIN, "0 8 * * *").last(known, until)).isEqualTo(until);
  }

  @Test
  void findsItsLastSlot() {
    for (var cron : List.of("* * * * * *", "*/7 * * * *", "30 2 * * *", "0 0 29 2 *")) {
      var timetable = in(BERLIN, cron);
      var known = timetable.next(Instant.parse("2024-01-01T00:00:00Z")).orElseThrow();
      var until = Instant.parse("2026-10-25T01:10:00.5Z");

      var last = timetable.last(known, until);

      assertThat(last).isBeforeOrEqualTo(until);
      assertThat(timetable.next(last).orElseThrow()).as(cron).isAfter(until);
    }
  }
}
