package io.leasehold.engine.maintenance;

import java.time.Duration;

/**
 * How often, how long, and how far ahead.
 *
 * @param rescueEvery how often leases that are over are looked for
 * @param staleAfter how long a worker's heartbeat may be missing before the worker is stale
 * @param daysAhead how many days of partitions there are ahead
 * @param retention how long a job is kept after its end
 */
public record Rhythm(Duration rescueEvery, Duration staleAfter, int daysAhead, Duration retention) {

  private static final Duration HEARTBEAT_EVERY = Duration.ofSeconds(5);

  /** How often a worker writes its heartbeat: two may be missing before the worker is stale. */
  Duration heartbeatEvery() {
    var third = staleAfter.dividedBy(3);
    return third.compareTo(HEARTBEAT_EVERY) < 0 ? third : HEARTBEAT_EVERY;
  }
}
