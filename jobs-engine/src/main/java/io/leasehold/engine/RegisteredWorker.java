package io.leasehold.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A worker as of its last heartbeat. All times are the database's. The worker's id is not among
 * this: an id that is passed on would let its reader write for the worker's jobs.
 *
 * @param name what people call the worker, by {@link EngineConfig#workerName}; not unique
 * @param version of the program that it runs
 * @param startedAt when it was registered
 * @param seenAt when its last heartbeat was written
 * @param silentFor how long ago that was
 * @param stale whether that is longer ago than {@link EngineConfig#staleAfter}, of this process or
 *     of the one that maintains the registry
 * @param running how many stored jobs it ran
 * @param slots how many it can run at once, of all its queues together
 * @param queues how many of each queue
 */
public record RegisteredWorker(
    String name,
    String version,
    Instant startedAt,
    Instant seenAt,
    Duration silentFor,
    boolean stale,
    int running,
    int slots,
    SortedMap<String, Integer> queues) {

  public RegisteredWorker {
    queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
  }
}
