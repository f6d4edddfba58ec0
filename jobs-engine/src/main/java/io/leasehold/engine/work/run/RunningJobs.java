package io.leasehold.engine.work.run;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All jobs that this worker holds leases for. Thread-safe. */
@Singleton
public final class RunningJobs {

  private final Map<Long, RunningJob> byToken = new ConcurrentHashMap<>();

  /** When begun jobs were removed without a confirmed ending, by lease token. */
  private final Map<Long, Long> unended = new ConcurrentHashMap<>();

  /** Creates an empty collection. */
  @Inject
  public RunningJobs() {}

  /** Adds a held job. */
  public void add(RunningJob held) {
    byToken.put(held.job().token(), held);
  }

  /** Removes a job whose lease has ended, for whatever reason. */
  public void remove(RunningJob held) {
    byToken.remove(held.job().token());
  }

  /** Removes a job whose ending may not be written: this worker may still have the lease. */
  void removeUnended(RunningJob held) {
    if (held.hasBegun()) {
      unended.put(held.job().token(), System.nanoTime());
    }
    remove(held);
  }

  /** Whether a job that is no longer held had begun and may have no ending. */
  boolean isUnended(long token) {
    return unended.containsKey(token);
  }

  /** Forgets unended jobs that were removed before {@code since}, by the process's clock. */
  void tidyUnended(long since) {
    unended.values().removeIf(at -> at - since < 0);
  }

  /** Returns the currently held jobs. */
  public Collection<RunningJob> all() {
    return byToken.values();
  }

  /**
   * Returns the held entries of one job, including any from an earlier claim whose lease was lost.
   */
  List<RunningJob> of(JobId id) {
    return byToken.values().stream().filter(held -> held.job().id().equals(id)).toList();
  }

  boolean has(long token) {
    return byToken.containsKey(token);
  }
}
