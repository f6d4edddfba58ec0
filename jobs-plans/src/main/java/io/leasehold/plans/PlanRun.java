package io.leasehold.plans;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt to run a plan. Confined to one thread. */
final class PlanRun<S> {

  private static final Logger log = LoggerFactory.getLogger(PlanRun.class);

  private final JobContext job;
  private final List<PlannedTask<S, ?>> tasks;
  private final Optional<States<S>> states;
  private final KeptOutputs kept;
  private final TaskTelling telling;

  /** The newest snapshot that later attempts may resume from. */
  private Optional<Snapshot> last = Optional.empty();

  PlanRun(JobContext job, List<PlannedTask<S, ?>> tasks, Optional<States<S>> states) {
    this.job = job;
    this.tasks = tasks;
    this.states = states;
    this.kept = new KeptOutputs(job);
    this.telling = new TaskTelling(job, tasks.size());
  }

  /** Runs the remaining tasks and returns the outputs of all tasks. */
  TaskOutputs run() throws Exception {
    var resumption = Resumption.of(job, tasks, states, kept.find(tasks));
    last = resumption.from();
    for (var task : tasks) {
      if (resumption.skips(task)) {
        telling.skipped(task, resumption.from(task));
      } else {
        telling.pending(task);
      }
    }
    var state = new LazyState<>(job, states, resumption.from());
    var ended = false;
    try {
      for (var task : tasks) {
        if (!resumption.skips(task)) {
          run(task, state);
        }
      }
      deleteOthers();
      ended = true;
    } finally {
      // A cancelled attempt ends its state as gracefully as a finished one.
      state.end(ended || job.isCancelled(), ended);
    }
    return kept.outputs();
  }

  private <O> void run(PlannedTask<S, O> task, LazyState<S> state) throws Exception {
    job.throwIfCancelled();
    telling.begin(task);
    try {
      var output = work(task, state);
      job.throwIfCancelled(); // The task may be only partly done: nothing of it is kept.
      var snapshot = snapshot(task, state);
      keep(task, output, snapshot);
      telling.succeeded(task, snapshot);
      if (snapshot.isPresent()) {
        last = snapshot;
        deleteOthers();
      }
    } catch (Exception e) { // Any exception fails the attempt and is reported for the task.
      throw failure(task, e);
    } catch (Error e) {
      telling.failed(task, e);
      throw e;
    }
  }

  private <O> O work(PlannedTask<S, O> task, LazyState<S> state) throws Exception {
    var output = task.task().work().run(new RunningTask<>(job, task, tasks, kept.outputs(), state));
    return Objects.requireNonNull(output, "a task must give something, not null");
  }

  private <O> void keep(PlannedTask<S, O> task, O output, Optional<Snapshot> snapshot)
      throws Exception {
    try {
      kept.keep(task, output);
    } catch (Exception e) {
      // A later attempt deletes the snapshot. If the job ends here, there may be no later attempt.
      if (job.stopped().filter(stop -> !stop.goesOnElsewhere()).isPresent()) {
        delete(snapshot);
      }
      throw e;
    }
  }

  private void delete(Optional<Snapshot> snapshot) {
    try {
      if (snapshot.isPresent()) {
        snapshot.get().delete();
      }
    } catch (IOException e) {
      log.warn("a snapshot of job {} is left until the job is removed", job.id(), e);
    }
  }

  private Optional<Snapshot> snapshot(PlannedTask<S, ?> task, LazyState<S> state) throws Exception {
    if (states.isEmpty() || !isDue(states.get().mode(), task, state)) {
      return Optional.empty();
    }
    var snapshot = states.get().after(job, task);
    state.snapshot(snapshot);
    return Optional.of(snapshot);
  }

  private boolean isDue(SnapshotMode mode, PlannedTask<S, ?> task, LazyState<S> state) {
    return switch (mode) {
      case ALWAYS -> task.isInState();
      case FINAL -> task.position() == tasks.size() && state.isOpen();
      case NONE -> false;
    };
  }

  // Deletes only after the newer snapshot counts: no attempt resumes from the older ones any more,
  // whichever task or attempt they belong to. Snapshots of later attempts are not for this attempt
  // to judge.
  private void deleteOthers() {
    if (last.isEmpty()) {
      return;
    }
    try {
      for (var snapshot : states.orElseThrow().kept(job)) {
        var isLast = snapshot.key().equals(last.get().key());
        if (!isLast && snapshot.key().token() <= job.fenceToken()) {
          snapshot.delete();
        }
      }
    } catch (IOException e) {
      log.warn("snapshots of job {} are left over", job.id(), e);
    }
  }

  // An exception that already decides the fate of the job is passed on, or keeps its meaning.
  private Exception failure(PlannedTask<S, ?> task, Exception failure) {
    if (job.isCancelled()) {
      telling.cancelled(task);
      return failure;
    }
    if (failure instanceof RetryLater) {
      telling.putOff(task);
      return failure;
    }
    telling.failed(task, failure);
    return switch (failure) {
      case JobsException exception when exception.code().blame() != ErrorCode.Blame.CALLER ->
          exception;
      case PermanentFailure permanent ->
          new PermanentFailure(TaskFailure.message(task.id(), permanent), permanent);
      default -> new TaskFailure(task.id(), failure);
    };
  }
}
