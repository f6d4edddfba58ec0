package io.leasehold.engine.maintenance.fleet;

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
 * @param capacity how many it runs at once, of all its queues together
 * @param handlers the queue of each handler that it has
 */
public record Registration(
    String name,
    String version,
    SortedMap<String, Integer> slots,
    int capacity,
    Map<HandlerId, String> handlers) {

  public Registration {
    slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    handlers = Map.copyOf(handlers);
  }
}
