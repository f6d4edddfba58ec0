package io.leasehold.engine.maintenance;

import java.time.Duration;

/**
 * Intervals and periods of the maintenance.
 *
 * @param rescueEvery the interval between searches for expired leases
 * @param staleAfter how long a worker's heartbeat may be missing before the worker is stale
 * @param daysAhead how many days ahead partitions are created
 * @param retention how long a job is kept after its end
 */
public record Rhythm(Duration rescueEvery, Duration staleAfter, int daysAhead, Duration retention) {

  private static final Duration HEARTBEAT_EVERY = Duration.ofSeconds(5);

  /** The interval between heartbeats: two may be missed before the worker is stale. */
  Duration heartbeatEvery() {
    var third = staleAfter.dividedBy(3);
    return third.compareTo(HEARTBEAT_EVERY) < 0 ? third : HEARTBEAT_EVERY;
  }
}
