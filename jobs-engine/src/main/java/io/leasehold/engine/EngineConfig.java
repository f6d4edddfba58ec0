package io.leasehold.engine;

import java.time.Duration;
import java.util.Map;

/**
 * How a process works on jobs. Immutable; each method returns a changed copy.
 *
 * @param workerName what people call this worker; default {@code pid} and the process's id
 * @param concurrency how many jobs of a queue run here at once; default 50
 * @param concurrencyOf the same for single queues
 * @param lease how long a job is this worker's without a sign of life; default 60 s
 * @param rescueEvery how often leases that are over are looked for; default 15 s
 * @param pollEvery how long a queue goes without a look when nobody tells of new jobs; default 1 s
 * @param cancelGrace how long a cancelled job may go on before its thread is interrupted; default
 *     10 s
 * @param daysAhead how many days of partitions there are ahead; default 7
 * @param retention how long a job is kept after its end, at least a day; default 14 days
 */
public record EngineConfig(
    String workerName,
    int concurrency,
    Map<String, Integer> concurrencyOf,
    Duration lease,
    Duration rescueEvery,
    Duration pollEvery,
    Duration cancelGrace,
    int daysAhead,
    Duration retention) {

  private static final int CONCURRENCY_MAX = 100_000;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
   */
  public EngineConfig {
    concurrencyOf = Map.copyOf(concurrencyOf);
    requireConcurrency(concurrency);
    concurrencyOf.values().forEach(EngineConfig::requireConcurrency);
    requireBetween("lease", lease, Duration.ofSeconds(1), Duration.ofHours(1));
    requireBetween("rescueEvery", rescueEvery, Duration.ofMillis(100), Duration.ofHours(1));
    requireBetween("pollEvery", pollEvery, Duration.ofMillis(10), Duration.ofMinutes(1));
    requireBetween("cancelGrace", cancelGrace, Duration.ZERO, Duration.ofHours(1));
    requireBetween("retention", retention, Duration.ofHours(24), Duration.ofDays(3_650));
  }

  /** The defaults. */
  public static EngineConfig defaults() {
    return new EngineConfig(
        "pid " + ProcessHandle.current().pid(),
        50,
        Map.of(),
        Duration.ofSeconds(60),
        Duration.ofSeconds(15),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        7,
        Duration.ofDays(14));
  }

  /** How long a cancelled job may go on before its thread is interrupted: up to an hour. */
  public EngineConfig cancelGrace(Duration cancelGrace) {
    return new EngineConfig(
        workerName,
        concurrency,
        concurrencyOf,
        lease,
        rescueEvery,
        pollEvery,
        cancelGrace,
        daysAhead,
        retention);
  }

  /** How long a job is this worker's without a sign of life: 1 s to an hour. */
  public EngineConfig lease(Duration lease) {
    return new EngineConfig(
        workerName,
        concurrency,
        concurrencyOf,
        lease,
        rescueEvery,
        pollEvery,
        cancelGrace,
        daysAhead,
        retention);
  }

  /** How often leases that are over are looked for: 100 ms to an hour. */
  public EngineConfig rescueEvery(Duration rescueEvery) {
    return new EngineConfig(
        workerName,
        concurrency,
        concurrencyOf,
        lease,
        rescueEvery,
        pollEvery,
        cancelGrace,
        daysAhead,
        retention);
  }

  /** How long a queue goes without a look when nobody tells of new jobs: 10 ms to a minute. */
  public EngineConfig pollEvery(Duration pollEvery) {
    return new EngineConfig(
        workerName,
        concurrency,
        concurrencyOf,
        lease,
        rescueEvery,
        pollEvery,
        cancelGrace,
        daysAhead,
        retention);
  }

  /** How many jobs of a queue run here at once: 1 to 100,000. */
  public EngineConfig concurrency(int concurrency) {
    return new EngineConfig(
        workerName,
        concurrency,
        concurrencyOf,
        lease,
        rescueEvery,
        pollEvery,
        cancelGrace,
        daysAhead,
        retention);
  }

  int concurrencyOf(String queue) {
    return concurrencyOf.getOrDefault(queue, concurrency);
  }

  private static void requireConcurrency(int value) {
    if (value < 1 || value > CONCURRENCY_MAX) {
      throw new IllegalArgumentException(
          "concurrency must be 1 to %d, not %d".formatted(CONCURRENCY_MAX, value));
    }
  }

  private static void requireBetween(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, not %s".formatted(name, least, most, value));
    }
  }
}
