package io.leasehold.engine.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The meters for the claims of one queue. */
public final class ClaimMeters {

  private static final double NANOS = 1e9;

  private final Timer wait;
  private final Timer time;
  private final DistributionSummary jobs;
  private final Counter adopted;

  ClaimMeters(MeterRegistry registry, String queue) {
    wait = registry.timer(Metric.WAIT.meter(), "queue", queue);
    time = registry.timer(Metric.CLAIM_TIME.meter(), "queue", queue);
    jobs = registry.summary(Metric.CLAIM_JOBS.meter(), "queue", queue);
    adopted = registry.counter(Metric.ADOPTED.meter(), "queue", queue);
  }

  /**
   * Records how long a claimed job had been available, by the database's clock. A negative time
   * counts as zero: the job became available after the claim's transaction had begun.
   */
  public void waited(double seconds) {
    wait.record((long) (Math.max(0, seconds) * NANOS), TimeUnit.NANOSECONDS);
  }

  /** Records a claim. */
  public void claimed(int size, long nanos) {
    jobs.record(size);
    time.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Records {@code size} adopted running jobs. */
  public void adopted(int size) {
    adopted.increment(size);
  }
}
