package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobService;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Follows runs for their handlers, and clears away what is left of them: of jobs that are over, and
 * of earlier attempts. A run is kept until its job's end is stored, so that a worker which dies
 * before that leaves something to adopt.
 *
 * <p>Safe to share between threads. Started and stopped once, beside the engine.
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
   * Runs of a runner, for the jobs of a service. Files that they leave are kept as outputs of their
   * jobs; the grace is five seconds.
   */
  public static Runs of(Runner runner, JobService jobs) {
    return new Runs(runner, jobs, KeepRunOutput.AS_OUTPUTS, Duration.ofSeconds(5));
  }

  /** Has the files kept that a run leaves, whichever code it ends with. */
  public Runs keeping(KeepRunOutput keep) {
    return new Runs(runner, jobs, keep, grace);
  }

  /**
   * How long a run may take to end when it is asked to, before it is ended by force: at most 8 s,
   * after which its handler would be given up.
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

  /** Begins to clear away, once a minute. */
  public synchronized void start() {
    if (sweeper == null) {
      sweeper =
          Thread.ofPlatform().daemon().name("sweep runs").start(() -> sweep.every(SWEEP_EVERY));
    }
  }

  /** Clears away no more. Runs go on. */
  public synchronized void stop() {
    if (sweeper != null) {
      sweeper.interrupt();
    }
  }

  /**
   * Clears away once, and answers what it removed: all but the runs of jobs that are running their
   * attempt. What cannot be looked up or removed at present is left for the next time.
   */
  public Set<RunId> sweep() throws InterruptedException {
    return sweep.sweep();
  }

  /** Sees to the run of an attempt until it has ended. */
  EndedRun follow(JobContext job, Callable<RunSpec> spec) throws Exception {
    return new FollowRun(runner, jobs, keep, grace, job).follow(spec);
  }
}
