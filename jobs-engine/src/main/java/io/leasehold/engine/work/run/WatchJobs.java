package io.leasehold.engine.work.run;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.StopReason;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks at all running jobs several times a lease: interrupts those that took too long, were
 * cancelled a while ago, or whose lease another worker may soon take.
 */
public final class WatchJobs {

  /** How long a handler may take to end once it was interrupted. */
  private static final Duration TO_END = Duration.ofSeconds(10);

  /** Reasons that leave the handler time to end by itself. */
  private static final Set<StopReason> ASKED_FOR = Set.of(StopReason.CANCELLED, StopReason.REMOVED);

  private final RunningJobs held;
  private final Consumer<RunningJob> abandon;
  private final Duration margin;
  private final Duration cancelGrace;

  /**
   * Watches.
   *
   * @param margin how long before its lease may be over a job is told to stop
   * @param cancelGrace how long a cancelled job may go on by itself
   * @param abandon ends a job whose handler goes on when interrupted
   */
  public WatchJobs(
      RunningJobs held, Duration margin, Duration cancelGrace, Consumer<RunningJob> abandon) {
    this.held = held;
    this.abandon = abandon;
    this.margin = margin;
    this.cancelGrace = cancelGrace;
  }

  /** Looks once. */
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
