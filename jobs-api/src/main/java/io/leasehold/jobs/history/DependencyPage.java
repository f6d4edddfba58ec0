package io.leasehold.jobs.history;

import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Optional;

/**
 * A page of the dependencies of a job, past and present, ordered by id.
 *
 * @param jobs up to the requested number of jobs
 * @param next where the next page continues; empty on the last page
 */
public record DependencyPage(List<JobDependency> jobs, Optional<JobId> next) {

  /** Copies the jobs. */
  public DependencyPage {
    jobs = List.copyOf(jobs);
  }
}
