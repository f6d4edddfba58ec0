package io.leasehold.plans;

import static java.util.Comparator.comparingLong;

import io.leasehold.jobs.JobContext;
import java.io.IOException;
import java.util.List;

/**
 * Where states come from and go to.
 *
 * @param mode when they are kept
 */
record States<S>(PlanRuntime<S> runtime, StateStore store, SnapshotMode mode) {

  /** The one that this attempt may take after a task. */
  Snapshot after(JobContext job, PlannedTask<S, ?> task) {
    return new Snapshot(
        store, SnapshotKey.of(job.caller().tenant(), job.id(), task.key(), job.fenceToken()));
  }

  /** Those of the job that are kept, by whichever attempt, the newest first. */
  List<Snapshot> kept(JobContext job) throws IOException {
    return store.kept(job.caller().tenant(), job.id()).stream()
        .sorted(comparingLong(SnapshotKey::token).reversed())
        .map(key -> new Snapshot(store, key))
        .toList();
  }
}
