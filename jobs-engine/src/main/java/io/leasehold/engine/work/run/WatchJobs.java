package io.leasehold.engine.work.run;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.StopReason;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks all running jobs several times per lease. Interrupts jobs that timed out, were cancelled a
 * while ago, or whose lease another worker may soon take.
 */
public final class WatchJobs {

  /** How long a handler may take to return after an interrupt. */
  private static final Duration TO_END = Duration.ofSeconds(10);

  /** Stop reasons that give the handler time to return by itself. */
  private static final Set<StopReason> ASKED_FOR = Set.of(StopReason.CANCELLED, StopReason.REMOVED);

  private final RunningJobs held;
  private final Consumer<RunningJob> abandon;
  private final Duration margin;
  private final Duration cancelGrace;

  /**
   * Creates the watch.
   *
   * @param margin how long before its lease may expire a job is told to stop
   * @param cancelGrace how long a cancelled job may keep running without an interrupt
   * @param abandon ends a job whose handler keeps running after an interrupt
   */
  public WatchJobs(
      RunningJobs held, Duration margin, Duration cancelGrace, Consumer<RunningJob> abandon) {
    this.held = held;
    this.abandon = abandon;
    this.margin = margin;
    this.cancelGrace = cancelGrace;
  }

  /** Checks all running jobs once. */
  public void look() {
    var now = System.nanoTime();
    for (var job : held.all()) {
      if (job.isDoubtful(now, margin)) {
        job.stop(StopReason.LOST, now);
      } else if (job.remaining(now).map(Duration::isZero).orElse(false)) {
        job.stop(StopReason.TIMED_OUT, now);
      }
      job.interruptAfter(grace(job), now);
      if (job.goesOn(TO_END, now)) {
        abandon.accept(job);
      }
    }
  }

  private Duration grace(RunningJob job) {
    return job.stopped().filter(ASKED_FOR::contains).isPresent() ? cancelGrace : Duration.ZERO;
  }
}
