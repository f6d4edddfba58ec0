package io.leasehold.engine.upkeep.registry;

import java.util.Set;

/**
 * What a worker tells of itself.
 *
 * @param name what people call it
 * @param version of the program that it runs
 * @param queues where it claims jobs
 * @param capacity how many jobs it runs at once, in all its queues
 */
public record Registration(String name, String version, Set<String> queues, int capacity) {
  public Registration {
    queues = Set.copyOf(queues);
  }
}
