package io.leasehold.plans;

import io.leasehold.jobs.JobContext;

/**
 * Where states come from and go to.
 *
 * @param mode when they are kept
 */
record States<S>(PlanRuntime<S> runtime, StateStore store, SnapshotMode mode) {

  States<S> in(SnapshotMode its) {
    return new States<>(runtime, store, its);
  }

  Snapshot after(JobContext job, PlannedTask<S, ?> task) {
    return new Snapshot(store, new SnapshotKey(job.caller().tenant(), job.id(), task.key()));
  }
}
