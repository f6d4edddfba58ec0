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
 * Shares the room of each claim out to tenants by their weights.
 *
 * <p>A tenant's consumption is its number of claimed jobs divided by its weight, and the tenant
 * with the lowest consumption is next. The weights therefore hold over many claims, even if each
 * claim has room for only one job. A tenant without waiting jobs saves up no credit: when it
 * returns, it starts level with the lowest consumption. Not thread-safe.
 */
final class Turns {

  private static final TenantId FIRST = new TenantId(new UUID(0, 0));

  /** Consumption of the tenants above {@link #least}; all other tenants have exactly that. */
  private final Map<TenantId, Double> had = new HashMap<>();

  /** The lowest consumption among tenants with waiting jobs. */
  private double least;

  private TenantId lastServed = FIRST;

  /**
   * Decides how many jobs to take from which lanes: one lane per tenant, its highest priority, and
   * at most {@code room} tenants.
   *
   * @param lanes at least one; those of a tenant in a row, and of these the highest first
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

  /** Records how many jobs a turn returned. */
  void took(Turn turn, int jobs) {
    if (jobs > 0) {
      var lane = turn.lane();
      had.put(lane.tenant(), had(lane) + jobs / (double) lane.weight());
      lastServed = lane.tenant();
    }
  }

  /** Forgets all consumption; called when no jobs are waiting. */
  void clear() {
    had.clear();
    least = 0;
  }

  private double had(Lane lane) {
    return had.getOrDefault(lane.tenant(), least);
  }

  // Among tenants with equal consumption, those after the last served one come first. Otherwise a
  // stream of new tenants could keep an old one waiting.
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
