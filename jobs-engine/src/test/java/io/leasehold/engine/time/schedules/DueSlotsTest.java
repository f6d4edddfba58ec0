package io.leasehold.engine.time.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.time.cron.CronExpression;
import io.leasehold.engine.time.cron.Timetable;
import io.leasehold.jobs.schedules.MissedSlots;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DueSlotsTest {

  private static final Instant NOW = Instant.parse("2026-11-19T12:00:30Z");

  private static List<String> due(String cron, String first, MissedSlots missed) {
    var timetable =
        new Timetable(CronExpression.of(cron), ZoneOffset.UTC, Optional.empty(), Optional.empty());
    return DueSlots.of(timetable, Instant.parse("2026-11-19T" + first + "Z"), NOW, missed).stream()
        .map(it -> it.toString().substring("2026-11-19T".length()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(MissedSlots.class)
  void aSlotThatIsSlightlyLateIsNotMissed(MissedSlots missed) {
    assertThat(due("*/10 * * * * *", "12:00:00", missed))
        .containsExactly("12:00:00Z", "12:00:10Z", "12:00:20Z", "12:00:30Z");
    assertThat(due("* * * * *", "11:59:30", missed)).containsExactly("11:59:30Z", "12:00:00Z");
  }

  @Test
  void skipsMissedSlotsAndFiresTheCurrentOne() {
    assertThat(due("0 * * * *", "08:00:00", MissedSlots.SKIP)).containsExactly("12:00:00Z");
    assertThat(due("30 * * * *", "08:30:00", MissedSlots.SKIP)).isEmpty();
    assertThat(due("*/20 * * * * *", "11:00:00", MissedSlots.SKIP))
        .containsExactly("11:59:40Z", "12:00:00Z", "12:00:20Z");
  }

  @Test
  void firesTheLastMissedSlotOnce() {
    assertThat(due("30 * * * *", "08:30:00", MissedSlots.ONCE)).containsExactly("11:30:00Z");
    assertThat(due("* * * * *", "00:00:00", MissedSlots.ONCE)).containsExactly("12:00:00Z");
    assertThat(due("30 * * * *", "11:30:00", MissedSlots.ONCE)).containsExactly("11:30:00Z");
  }

  @Test
  void catchesUpOnAllMissedSlots() {
    assertThat(due("0 * * * *", "08:00:00", MissedSlots.ALL))
        .containsExactly("08:00:00Z", "09:00:00Z", "10:00:00Z", "11:00:00Z", "12:00:00Z");
  }

  /** Wherever there are many of them, and where few. */
  @Test
  void catchesUpOnTheSameSlotsAsAFullComputation() {
    var now = NOW.plusMillis(500);
    for (var cron :
        List.of("* * * * *", "* 1,7 * * *", "*/7 * 0-9 * * *", "0 */2 * * *", "20 * * * * *")) {
      for (var first : List.of("00:00:00", "07:00:00")) {
        var timetable =
            new Timetable(
                CronExpression.of(cron), ZoneOffset.UTC, Optional.empty(), Optional.empty());
        var begin = timetable.next(Instant.parse("2026-11-19T" + first + "Z")).orElseThrow();
        var all =
            Stream.iterate(begin, it -> !it.isAfter(now), it -> timetable.next(it).orElseThrow())
                .toList();

        assertThat(DueSlots.of(timetable, begin, now, MissedSlots.ALL))
            .as("%s from %s", cron, begin)
            .isEqualTo(all.subList(Math.max(0, all.size() - 100), all.size()));
      }
    }
  }

  @Test
  void catchesUpOnTheLastHundredMissedSlots() {
    var slots = due("* * * * *", "00:00:00", MissedSlots.ALL);

    assertThat(slots)
        .hasSize(100)
        .startsWith("10:21:00Z")
        .endsWith("12:00:00Z")
        .doesNotHaveDuplicates();
  }
}
