package io.leasehold.jobs;

import java.util.List;
import java.util.Optional;

/**
 * Some jobs of a list, the newest first.
 *
 * @param jobs at most as many as asked for
 * @param next where the list goes on, for {@link JobFilter#after}; empty at its end
 */
public record JobPage(List<Job> jobs, Optional<JobId> next) {

  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
