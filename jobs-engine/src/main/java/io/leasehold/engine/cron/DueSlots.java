package io.leasehold.engine.cron;

import io.leasehold.jobs.MissedSlots;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which of the slots that are due have jobs. */
final class DueSlots {

  /** What is later than that was missed. */
  static final Duration GRACE = Duration.ofMinutes(1);

  private static final int ALL_MOST = 100;

  private DueSlots() {}

  /**
   * Those from the first on that have jobs, in their order.
   *
   * @param first a slot, and due
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
    var slots = new ArrayList<Instant>();
    var slot = first;
    while (slot.isPresent() && !slot.get().isAfter(now)) {
      slots.add(slot.get());
      slot = timetable.next(slot.get());
    }
    return slots;
  }

  private static List<Instant> last(Timetable timetable, Instant first, Instant now) {
    var slots = new ArrayDeque<Instant>();
    var until = now;
    while (slots.size() < ALL_MOST && !until.isBefore(first)) {
      var slot = timetable.last(first, until);
      slots.addFirst(slot);
      until = slot.minusSeconds(1);
    }
    return List.copyOf(slots);
  }
}
