package io.leasehold.jobs;

import java.util.Map;
import java.util.Optional;

/**
 * How the jobs of a batch fare at one moment. Those that were removed since, or are not kept any
 * longer, are not counted.
 *
 * @param id of the batch
 * @param counts how many jobs there are of each status; of one that is missing, none
 * @param callback the job that waits for all of them, if one was asked for; it is not counted
 */
public record Batch(BatchId id, Map<JobStatus, Long> counts, Optional<JobId> callback) {

  private static final int ALL = 100;

  /** Keeps a copy of the counts. */
  public Batch {
    counts = Map.copyOf(counts);
  }

  /** How many jobs there are. */
  public long jobs() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many of them are over, however they ended. */
  public long over() {
    return counts.entrySet().stream()
        .filter(its -> its.getKey().isFinal())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Whether all are over. */
  public boolean isOver() {
    return over() == jobs();
  }

  /** How many in a hundred are over, rounded down; 100 only when all are. */
  public int percent() {
    return isOver() ? ALL : (int) (over() * ALL / jobs());
  }
}
