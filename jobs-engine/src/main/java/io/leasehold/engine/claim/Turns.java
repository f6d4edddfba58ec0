package io.leasehold.engine.claim;

import io.leasehold.jobs.TenantId;
import java.util.ArrayList;
import java.util.List;

/** Deals the room of a claim out to tenants, by their weights, going on behind the last served. */
final class Turns {

  private Turns() {}

  /**
   * Says from which lanes to take how many: from each tenant's highest, and not from more tenants
   * than there is room for.
   *
   * @param lanes in the order of their tenants and, within one, the highest first
   */
  static List<Turn> of(List<Lane> lanes, TenantId lastServed, int room) {
    var highest = highest(lanes);
    var weights = highest.stream().mapToLong(Lane::weight).sum();
    var begin = 0;
    while (begin < highest.size()
        && IdOrder.UNSIGNED.compare(highest.get(begin).tenant().value(), lastServed.value()) <= 0) {
      begin++;
    }
    var turns = new ArrayList<Turn>();
    for (int i = 0; i < Math.min(highest.size(), room); i++) {
      var lane = highest.get((begin + i) % highest.size());
      turns.add(new Turn(lane, (int) Math.ceilDiv(room * (long) lane.weight(), weights)));
    }
    return turns;
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
