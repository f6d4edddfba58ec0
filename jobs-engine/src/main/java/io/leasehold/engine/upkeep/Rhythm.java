package io.leasehold.engine.upkeep;

import java.time.Duration;

/**
 * How often, how long, and how far ahead.
 *
 * @param rescueEvery how often leases that are over are looked for
 * @param silence how long a worker may say nothing until it is called stale
 * @param daysAhead how many days of partitions there are ahead
 * @param retention how long a job is kept after its end
 */
public record Rhythm(Duration rescueEvery, Duration silence, int daysAhead, Duration retention) {}
