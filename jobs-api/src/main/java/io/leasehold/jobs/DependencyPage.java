package io.leasehold.jobs;

import java.util.List;
import java.util.Optional;

/**
 * Some of the jobs for which a job waits, or waited, in the order of their ids.
 *
 * @param jobs at most as many as asked for
 * @param next where to go on; empty at the end
 */
public record DependencyPage(List<JobDependency> jobs, Optional<JobId> next) {

  /** Keeps a copy of the jobs. */
  public DependencyPage {
    jobs = List.copyOf(jobs);
  }
}
