package io.leasehold.engine.upkeep.registry;

import io.leasehold.jobs.HandlerId;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a worker tells of itself.
 *
 * @param name what people call it
 * @param version of the program that it runs
 * @param slots how many jobs it runs at once of each queue where it claims
 * @param handlers the queue of each handler that it has
 */
public record Registration(
    String name,
    String version,
    SortedMap<String, Integer> slots,
    Map<HandlerId, String> handlers) {

  public Registration {
    slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    handlers = Map.copyOf(handlers);
  }

  /** How many jobs it runs at once, in all its queues. */
  int capacity() {
    return slots.values().stream().mapToInt(Integer::intValue).sum();
  }
}
