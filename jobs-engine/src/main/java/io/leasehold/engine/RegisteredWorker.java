package io.leasehold.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A worker, as of its last heartbeat. All times are the database's. The worker's id is not
 * included: an id that is passed on would let its reader write for the worker's jobs.
 *
 * @param name the worker's name for people, from {@link EngineConfig#workerName}; not unique
 * @param version the version of the program that the worker runs
 * @param startedAt when the worker was registered
 * @param seenAt when the last heartbeat was written
 * @param silentFor the time since the last heartbeat
 * @param stale whether the last heartbeat is older than {@link EngineConfig#staleAfter}, of this
 *     process or of the process that maintains the registry
 * @param running the number of stored jobs that the worker was running
 * @param slots the number of jobs that the worker can run at once, across all its queues
 * @param queues the number of slots per queue
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
