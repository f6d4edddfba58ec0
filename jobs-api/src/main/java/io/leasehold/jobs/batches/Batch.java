package io.leasehold.jobs.batches;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a batch at one moment. Jobs that were deleted or whose retention has expired are not
 * counted.
 *
 * @param id the id of the batch
 * @param counts the number of jobs per status; a missing status stands for none
 * @param callback the job that waits for all jobs of the batch, if one was requested; it is not
 *     counted
 */
public record Batch(BatchId id, Map<JobStatus, Long> counts, Optional<JobId> callback) {

  private static final int ALL = 100;

  /** Copies the counts. */
  public Batch {
    counts = Map.copyOf(counts);
  }

  /** Returns the number of jobs. */
  public long jobs() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the number of finished jobs, whatever their outcome. */
  public long over() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().isFinal())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns whether all jobs have finished. */
  public boolean isOver() {
    return over() == jobs();
  }

  /** Returns the percentage of finished jobs, rounded down; 100 only if all have finished. */
  public int percent() {
    return isOver() ? ALL : (int) (over() * ALL / jobs());
  }
}
