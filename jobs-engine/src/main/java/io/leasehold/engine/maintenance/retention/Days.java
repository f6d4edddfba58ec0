package io.leasehold.engine.maintenance.retention;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * The days that have partitions, in their order, and those between that have none.
 *
 * @param now the database's time
 * @param prepared the days that have partitions
 */
record Days(Instant now, List<LocalDate> prepared) {

  Days {
    prepared = List.copyOf(prepared);
  }

  /** Those whose youngest job was made so long ago. */
  List<LocalDate> olderThan(Duration age) {
    return prepared.stream().filter(day -> isOlder(day, age)).toList();
  }

  boolean isOlder(LocalDate day, Duration age) {
    return !startOf(day.plusDays(1)).plus(age).isAfter(now);
  }

  /** The jobs of the default partition: of all days up to now that have none of their own. */
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
