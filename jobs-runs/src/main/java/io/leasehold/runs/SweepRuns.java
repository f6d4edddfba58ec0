package io.leasehold.runs;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes runs that nobody will go on with. Safe to share. */
final class SweepRuns {

  private static final Logger log = LoggerFactory.getLogger(SweepRuns.class);

  private static final String PRINCIPAL = "leasehold.runs";

  private final Runner runner;
  private final JobService jobs;

  SweepRuns(Runner runner, JobService jobs) {
    this.runner = runner;
    this.jobs = jobs.restartable();
  }

  /** Does it again and again, until the thread is interrupted. */
  void every(Duration pause) {
    try {
      while (true) {
        once();
        Thread.sleep(pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void once() throws InterruptedException {
    try {
      sweep();
    } catch (RuntimeException e) { // Nothing may end the only thread that clears away.
      log.error("what is left of runs is not cleared away at present", e);
    }
  }

  Set<RunId> sweep() throws InterruptedException {
    var removed = new LinkedHashSet<RunId>();
    try {
      for (var run : runner.all()) {
        if (isOver(run) && isRemoved(run)) {
          removed.add(run);
        }
      }
    } catch (IOException | JobsException e) {
      log.warn("what is left of runs is not cleared away at present: {}", e.getMessage());
    }
    return removed;
  }

  // One that cannot be removed must not keep the others.
  private boolean isRemoved(RunId run) {
    try {
      runner.remove(run);
      return true;
    } catch (IOException e) {
      log.warn("what is left of run {} is not cleared away at present", run, e);
      return false;
    }
  }

  // Of a job that waits for its next attempt, the one before is over.
  private boolean isOver(RunId run) {
    var tenant = SecurityContext.of(PRINCIPAL, run.tenant()).build();
    return jobs.find(tenant, run.job()).filter(job -> isRunning(job, run)).isEmpty();
  }

  private static boolean isRunning(Job job, RunId run) {
    return job.status() == JobStatus.RUNNING && job.attempts() == run.attempt();
  }
}
