package io.leasehold.engine.work.run;

import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All jobs that this worker holds leases of. Safe to share between threads. */
public final class RunningJobs {

  private final Map<Long, RunningJob> byToken = new ConcurrentHashMap<>();

  /**
   * When jobs were forgotten that had begun and have perhaps no end, by the tokens of their leases.
   */
  private final Map<Long, Long> unended = new ConcurrentHashMap<>();

  /** Holds one. */
  public void add(RunningJob held) {
    byToken.put(held.job().token(), held);
  }

  /** Forgets a job whose lease is over, one way or the other. */
  public void remove(RunningJob held) {
    byToken.remove(held.job().token());
  }

  /** Forgets a job whose end is not known to be written: its lease may still be this worker's. */
  void removeUnended(RunningJob held) {
    if (held.hasBegun()) {
      unended.put(held.job().token(), System.nanoTime());
    }
    remove(held);
  }

  /** Whether a job that is not held any more had begun, and has perhaps no end. */
  boolean isUnended(long token) {
    return unended.containsKey(token);
  }

  /** Leaves only those that were forgotten after a moment of the process's clock. */
  void tidyUnended(long since) {
    unended.values().removeIf(at -> at - since < 0);
  }

  /** Those that are held at present. */
  public Collection<RunningJob> all() {
    return byToken.values();
  }

  /** Those of one job: of an earlier claim that was lost, too. */
  List<RunningJob> of(JobId id) {
    return byToken.values().stream().filter(held -> held.job().id().equals(id)).toList();
  }

  boolean has(long token) {
    return byToken.containsKey(token);
  }
}
