package io.leasehold.plans;

import static java.util.Comparator.comparingLong;

import io.leasehold.jobs.JobContext;
import java.io.IOException;
import java.util.List;

/**
 * Opens states and stores their snapshots.
 *
 * @param mode when states are kept
 */
record States<S>(PlanRuntime<S> runtime, StateStore store, SnapshotMode mode) {

  /** Returns the snapshot that this attempt may take after a task. */
  Snapshot after(JobContext job, PlannedTask<S, ?> task) {
    return new Snapshot(
        store, SnapshotKey.of(job.caller().tenant(), job.id(), task.key(), job.fenceToken()));
  }

  /** Returns the job's stored snapshots, of all attempts, newest first. */
  List<Snapshot> kept(JobContext job) throws IOException {
    return store.kept(job.caller().tenant(), job.id()).stream()
        .sorted(comparingLong(SnapshotKey::token).reversed())
        .map(key -> new Snapshot(store, key))
        .toList();
  }
}
