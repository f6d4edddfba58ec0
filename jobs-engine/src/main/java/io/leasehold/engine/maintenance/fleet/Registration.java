package io.leasehold.engine.maintenance.fleet;

import io.leasehold.jobs.HandlerId;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a worker reports about itself.
 *
 * @param name the name shown to people
 * @param version the version of the program that it runs
 * @param slots how many jobs it runs at once, for each queue that it claims from
 * @param capacity how many jobs it runs at once, over all its queues
 * @param handlers the queue of each of its handlers
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
