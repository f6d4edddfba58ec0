package io.leasehold.engine.work.claim;

import io.leasehold.engine.kernel.IdOrder;
import io.leasehold.jobs.TenantId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Deals the room of each claim out to tenants by their weights.
 *
 * <p>What a tenant has had is counted as its jobs divided by its weight, and who has had the least
 * is next. So weights hold over many claims, even if each has room for a single job. A tenant
 * without waiting jobs saves nothing up: it comes back level with the one that has had the least.
 * For one thread.
 */
final class Turns {

  private static final TenantId FIRST = new TenantId(new UUID(0, 0));

  /** What the tenants have had that had more than {@link #least}; all others have had that. */
  private final Map<TenantId, Double> had = new HashMap<>();

  /** What the one had that has had the least, of those with waiting jobs. */
  private double least;

  private TenantId lastServed = FIRST;

  /**
   * Says from which lanes to take how many: from each tenant's highest, and not from more tenants
   * than there is room for.
   *
   * @param lanes at least one, in the order of their tenants and, within one, the highest first
   */
  List<Turn> of(List<Lane> lanes, int room) {
    var highest = highest(lanes);
    least = Math.max(least, highest.stream().mapToDouble(this::had).min().orElseThrow());
    had.values().removeIf(one -> one <= least);

    var weights = highest.stream().mapToLong(Lane::weight).sum();
    return highest.stream()
        .sorted(Comparator.comparingDouble(this::had).thenComparing(this::isServed))
        .limit(room)
        .map(lane -> new Turn(lane, (int) Math.ceilDiv(room * (long) lane.weight(), weights)))
        .toList();
  }

  /** Counts what a turn brought. */
  void took(Turn turn, int jobs) {
    if (jobs > 0) {
      var lane = turn.lane();
      had.put(lane.tenant(), had(lane) + jobs / (double) lane.weight());
      lastServed = lane.tenant();
    }
  }

  /** Forgets what each had: nobody waits. */
  void clear() {
    had.clear();
    least = 0;
  }

  private double had(Lane lane) {
    return had.getOrDefault(lane.tenant(), least);
  }

  // Of those that have had the same, the ones behind the last served come first. Otherwise new
  // tenants could go on coming before an old one.
  private boolean isServed(Lane lane) {
    return IdOrder.UNSIGNED.compare(lane.tenant().value(), lastServed.value()) <= 0;
  }

  private static List<Lane> highest(List<Lane> lanes) {
    var highest = new ArrayList<Lane>();
    for (var lane : lanes) {
      if (highest.isEmpty() || !highest.getLast().tenant().equals(lane.tenant())) {
        highest.add(lane);
      }
    }
    return highest;
  }
}
