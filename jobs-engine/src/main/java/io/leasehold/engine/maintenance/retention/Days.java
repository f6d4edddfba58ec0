package io.leasehold.engine.maintenance.retention;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * The days that have partitions, in order, and the gaps between them.
 *
 * @param now the database's time
 * @param prepared the days that have partitions
 */
record Days(Instant now, List<LocalDate> prepared) {

  Days {
    prepared = List.copyOf(prepared);
  }

  /** Returns the days whose youngest job is at least {@code age} old. */
  List<LocalDate> olderThan(Duration age) {
    return prepared.stream().filter(day -> isOlder(day, age)).toList();
  }

  boolean isOlder(LocalDate day, Duration age) {
    return !startOf(day.plusDays(1)).plus(age).isAfter(now);
  }

  /**
   * Returns the id ranges of the default partition: all days up to now without a partition of their
   * own.
   */
  List<IdRange> between() {
    var between = new ArrayList<IdRange>();
    var from = LocalDate.EPOCH;
    for (var day : prepared) {
      if (day.isAfter(from)) {
        between.add(IdRange.ofDays(from, day));
      }
      from = day.plusDays(1);
    }
    var tomorrow = LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(1);
    if (tomorrow.isAfter(from)) {
      between.add(IdRange.ofDays(from, tomorrow));
    }
    return between;
  }

  private static Instant startOf(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }
}
