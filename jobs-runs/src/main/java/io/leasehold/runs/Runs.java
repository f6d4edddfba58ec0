package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobService;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Follows runs for their handlers, and cleans up the runs of finished jobs and of earlier attempts.
 * A run is kept until its job's end is stored, so that if a worker dies before that, the next one
 * can adopt the run.
 *
 * <p>Safe to share between threads. Started and stopped once, together with the engine.
 */
public final class Runs {

  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);
  private static final Duration GRACE_MOST = Duration.ofSeconds(8);

  private final Runner runner;
  private final JobService jobs;
  private final KeepRunOutput keep;
  private final Duration grace;
  private final SweepRuns sweep;
  private @Nullable Thread sweeper; // Guarded by this.

  private Runs(Runner runner, JobService jobs, KeepRunOutput keep, Duration grace) {
    this.runner = runner;
    this.jobs = jobs;
    this.keep = keep;
    this.grace = grace;
    this.sweep = new SweepRuns(runner, jobs);
  }

  /**
   * Follows the runs of a runner for the jobs of a service. Files that runs leave are stored as
   * outputs of their jobs; the grace is five seconds.
   */
  public static Runs of(Runner runner, JobService jobs) {
    return new Runs(runner, jobs, KeepRunOutput.AS_OUTPUTS, Duration.ofSeconds(5));
  }

  /** Sets how the files of a run are stored, whatever its exit code. */
  public Runs keeping(KeepRunOutput keep) {
    return new Runs(runner, jobs, keep, grace);
  }

  /**
   * Sets how long a run may take to stop before it is killed: at most 8 s, after which its handler
   * would be abandoned.
   *
   * @throws IllegalArgumentException if it is negative or longer
   */
  public Runs grace(Duration grace) {
    if (grace.isNegative() || grace.compareTo(GRACE_MOST) > 0) {
      throw new IllegalArgumentException(
          "grace must be 0 to %s, not %s".formatted(GRACE_MOST, grace));
    }
    return new Runs(runner, jobs, keep, grace);
  }

  /** Starts cleaning up, once a minute. */
  public synchronized void start() {
    if (sweeper == null) {
      sweeper =
          Thread.ofPlatform().daemon().name("sweep runs").start(() -> sweep.every(SWEEP_EVERY));
    }
  }

  /** Stops cleaning up. Runs continue. */
  public synchronized void stop() {
    if (sweeper != null) {
      sweeper.interrupt();
    }
  }

  /**
   * Cleans up once, and returns the removed runs: all but the current runs of running jobs. Runs
   * that cannot be checked or removed now are left for the next time.
   */
  public Set<RunId> sweep() throws InterruptedException {
    return sweep.sweep();
  }

  /** Follows the run of an attempt until it has ended. */
  EndedRun follow(JobContext job, Callable<RunSpec> spec) throws Exception {
    return new FollowRun(runner, jobs, keep, grace, job).follow(spec);
  }
}
