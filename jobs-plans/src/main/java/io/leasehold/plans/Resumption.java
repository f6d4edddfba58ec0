package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where an attempt resumes.
 *
 * <p>The leading tasks whose outputs are stored are done. Of these, the tasks in the state that the
 * last snapshot lacks are run again if the state is still needed; no others are.
 *
 * @param done how many tasks, counted from the first, are done
 * @param inSnapshot how many tasks, counted from the first, are in the snapshot
 * @param isStateNeeded whether the remaining tasks need the state
 * @param from the snapshot
 */
record Resumption(int done, int inSnapshot, boolean isStateNeeded, Optional<Snapshot> from) {

  static <S> Resumption of(
      JobContext job, List<PlannedTask<S, ?>> tasks, Optional<States<S>> states, int done)
      throws IOException {
    if (states.isEmpty()) {
      return new Resumption(done, 0, false, Optional.empty());
    }
    var mode = states.get().mode();
    var all = states.get().kept(job);
    for (var kept = done; kept > 0; kept--) {
      var snapshot = newestAfter(tasks.get(kept - 1), all);
      if (snapshot.isPresent()) {
        return new Resumption(done, kept, isNeeded(tasks, mode, done, kept), snapshot);
      }
    }
    return new Resumption(done, 0, isNeeded(tasks, mode, done, 0), Optional.empty());
  }

  // The newest snapshot is by the last holder of the lease: a snapshot that an overtaken attempt
  // saved later has a smaller token.
  private static Optional<Snapshot> newestAfter(PlannedTask<?, ?> task, List<Snapshot> all) {
    return all.stream().filter(snapshot -> snapshot.key().output().equals(task.key())).findFirst();
  }

  // The state is needed for a remaining task that works on it, or because it is kept at the end.
  private static <S> boolean isNeeded(
      List<PlannedTask<S, ?>> tasks, SnapshotMode mode, int done, int kept) {
    var left = tasks.subList(done, tasks.size());
    var lost = tasks.subList(kept, done);
    var isToBeKept = mode != SnapshotMode.NONE && lost.stream().anyMatch(PlannedTask::isInState);
    return left.stream().anyMatch(PlannedTask::isInState) || (!left.isEmpty() && isToBeKept);
  }

  /** Returns the snapshot that the state is restored from, if it was taken after this task. */
  Optional<Snapshot> from(PlannedTask<?, ?> task) {
    return from.filter(snapshot -> snapshot.key().output().equals(task.key()));
  }

  /** Whether the task can be skipped. */
  boolean skips(PlannedTask<?, ?> task) {
    return task.place() < done
        && (!task.isInState() || !isStateNeeded || task.place() < inSnapshot);
  }
}
