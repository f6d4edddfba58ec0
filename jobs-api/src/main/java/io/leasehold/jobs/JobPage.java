package io.leasehold.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A page of jobs, newest first.
 *
 * @param jobs up to the requested number of jobs
 * @param next where the next page continues, for {@link JobFilter#after}; empty on the last page
 */
public record JobPage(List<Job> jobs, Optional<JobId> next) {

  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
