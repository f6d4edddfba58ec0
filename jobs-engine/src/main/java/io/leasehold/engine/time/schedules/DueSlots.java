package io.leasehold.engine.time.schedules;

import io.leasehold.engine.time.cron.Timetable;
import io.leasehold.jobs.schedules.MissedSlots;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Selects the due slots that get jobs. */
final class DueSlots {

  /** A slot that is later than this has been missed. */
  static final Duration GRACE = Duration.ofMinutes(1);

  private static final int ALL_MOST = 100;

  private DueSlots() {}

  /**
   * Returns the slots from {@code first} on that get jobs, in their order.
   *
   * @param first a slot that is due
   */
  static List<Instant> of(Timetable timetable, Instant first, Instant now, MissedSlots missed) {
    var late = now.minus(GRACE);
    if (!first.isBefore(late)) {
      return from(timetable, Optional.of(first), now);
    }
    return switch (missed) {
      case SKIP -> from(timetable, timetable.next(late.minusNanos(1)), now);
      case ONCE -> List.of(timetable.last(first, now));
      case ALL -> last(timetable, first, now);
    };
  }

  private static List<Instant> from(Timetable timetable, Optional<Instant> first, Instant now) {
    return some(timetable, first, now, Integer.MAX_VALUE);
  }

  private static List<Instant> some(
      Timetable timetable, Optional<Instant> first, Instant now, int most) {
    var slots = new ArrayList<Instant>();
    var slot = first;
    while (slot.isPresent() && !slot.get().isAfter(now) && slots.size() < most) {
      slots.add(slot.get());
      slot = timetable.next(slot.get());
    }
    return slots;
  }

  // Bisects by seconds for the latest start that still has {@code ALL_MOST} slots. Computing every
  // slot takes time, and all other schedules would wait.
  private static List<Instant> last(Timetable timetable, Instant first, Instant now) {
    var slots = some(timetable, Optional.of(first), now, ALL_MOST);
    var many = first;
    var few = now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    while (slots.size() == ALL_MOST && many.plusSeconds(1).isBefore(few)) {
      var half = many.plusSeconds(Duration.between(many, few).toSeconds() / 2);
      var fromHalf = some(timetable, timetable.next(half.minusNanos(1)), now, ALL_MOST);
      if (fromHalf.size() == ALL_MOST) {
        many = half;
        slots = fromHalf;
      } else {
        few = half;
      }
    }
    return slots;
  }
}
