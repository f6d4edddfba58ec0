package io.leasehold.engine.work.run;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * On what terms a worker works.
 *
 * @param concurrencyOf how many jobs of each of its queues run at once
 * @param directConcurrency how many run at once, of all queues together, if they run where they are
 *     submitted
 * @param lease how long a job is its own without a sign of life
 * @param pollEvery how long a queue goes without a look when nobody tells of new jobs
 * @param cancelGrace how long a cancelled job may go on before its thread is interrupted
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

  /** How long before its lease may be over a job is told to stop. */
  Duration margin() {
    return lease.dividedBy(10);
  }

  /** How often leases are renewed: two renewals may fail. */
  Duration renewEvery() {
    return lease.dividedBy(3);
  }
}
