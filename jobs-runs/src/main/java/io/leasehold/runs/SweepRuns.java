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

/** Removes runs that no worker will continue. Safe to share. */
final class SweepRuns {

  private static final Logger log = LoggerFactory.getLogger(SweepRuns.class);

  private static final String PRINCIPAL = "leasehold.runs";

  private final Runner runner;
  private final JobService jobs;

  SweepRuns(Runner runner, JobService jobs) {
    this.runner = runner;
    this.jobs = jobs.restartable();
  }

  /** Repeats the cleanup until the thread is interrupted. */
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
    } catch (RuntimeException e) { // No exception may end the only cleanup thread.
      log.error("clearing away ended runs failed, retrying", e);
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
      log.warn("clearing away ended runs failed, retrying: {}", e.getMessage());
    }
    return removed;
  }

  // A run that cannot be removed must not keep the others from being removed.
  private boolean isRemoved(RunId run) {
    try {
      runner.remove(run);
      return true;
    } catch (IOException e) {
      log.warn("clearing away run {} failed, retrying", run, e);
      return false;
    }
  }

  // If the job waits for its next attempt, the previous attempt has ended.
  private boolean isOver(RunId run) {
    var tenant = SecurityContext.of(PRINCIPAL, run.tenant()).build();
    return jobs.find(tenant, run.job()).filter(job -> isRunning(job, run)).isEmpty();
  }

  private static boolean isRunning(Job job, RunId run) {
    return job.status() == JobStatus.RUNNING && job.attempts() == run.attempt();
  }
}
