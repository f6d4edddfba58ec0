package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where an attempt goes on.
 *
 * <p>The tasks from the first on whose outputs are kept are done. Of these, the ones in the state
 * that its last snapshot has not are done again if the state is needed once more, and no others.
 *
 * @param done so many tasks, from the first on, are done
 * @param inSnapshot so many, from the first on, are in the snapshot
 * @param isStateNeeded whether what is left to do needs the state
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

  // Who took it last held the lease last: what an overtaken attempt saved later has a smaller
  // token.
  private static Optional<Snapshot> newestAfter(PlannedTask<?, ?> task, List<Snapshot> all) {
    return all.stream().filter(its -> its.key().output().equals(task.key())).findFirst();
  }

  // For a task in it, or to be kept in the end.
  private static <S> boolean isNeeded(
      List<PlannedTask<S, ?>> tasks, SnapshotMode mode, int done, int kept) {
    var left = tasks.subList(done, tasks.size());
    var lost = tasks.subList(kept, done);
    var isToBeKept = mode != SnapshotMode.NONE && lost.stream().anyMatch(PlannedTask::isInState);
    return left.stream().anyMatch(PlannedTask::isInState) || (!left.isEmpty() && isToBeKept);
  }

  /** The snapshot that the state comes from, if it was taken after this task. */
  Optional<Snapshot> from(PlannedTask<?, ?> task) {
    return from.filter(its -> its.key().output().equals(task.key()));
  }

  /** Whether the task need not be done. */
  boolean skips(PlannedTask<?, ?> task) {
    return task.place() < done
        && (!task.isInState() || !isStateNeeded || task.place() < inSnapshot);
  }
}
