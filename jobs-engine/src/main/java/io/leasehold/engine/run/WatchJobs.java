package io.leasehold.engine.run;

import java.time.Duration;

/**
 * Looks at all running jobs several times a lease: interrupts those that took too long, were
 * cancelled a while ago, or whose lease another worker may soon take.
 */
final class WatchJobs {

  private final HeldJobs held;
  private final Duration margin;
  private final Duration cancelGrace;

  /**
   * Watches.
   *
   * @param margin how long before its lease may be over a job is told to stop
   * @param cancelGrace how long a cancelled job may go on by itself
   */
  WatchJobs(HeldJobs held, Duration margin, Duration cancelGrace) {
    this.held = held;
    this.margin = margin;
    this.cancelGrace = cancelGrace;
  }

  void look() {
    var now = System.nanoTime();
    for (var job : held.all()) {
      if (job.isDoubtful(now, margin)) {
        job.stop(Stop.LOST, now);
      } else if (job.remaining(now).map(Duration::isZero).orElse(false)) {
        job.stop(Stop.TIMED_OUT, now);
      }
      job.interruptAfter(grace(job), now);
    }
  }

  private Duration grace(HeldJob job) {
    return job.stopped().filter(why -> why == Stop.CANCELLED).isPresent()
        ? cancelGrace
        : Duration.ZERO;
  }
}
