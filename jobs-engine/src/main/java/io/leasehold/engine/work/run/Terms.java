package io.leasehold.engine.work.run;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The terms a worker works under.
 *
 * @param concurrencyOf how many jobs of each queue run at once
 * @param directConcurrency how many jobs run at once, over all queues, in direct mode
 * @param lease how long the worker owns a job without renewing its lease
 * @param pollEvery the maximum interval between checks of a queue without notifications
 * @param cancelGrace how long a cancelled job may keep running before its thread is interrupted
 */
public record Terms(
    Map<String, Integer> concurrencyOf,
    OptionalInt directConcurrency,
    Duration lease,
    Duration pollEvery,
    Duration cancelGrace) {

  public Terms {
    concurrencyOf = Map.copyOf(concurrencyOf);
  }

  /** How long before its lease may expire a job is told to stop. */
  Duration margin() {
    return lease.dividedBy(10);
  }

  /** The interval between lease renewals: two renewals in a row may fail. */
  Duration renewEvery() {
    return lease.dividedBy(3);
  }
}
