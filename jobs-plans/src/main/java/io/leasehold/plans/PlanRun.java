package io.leasehold.plans;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.TaskStatus;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt at a plan. Belongs to its thread. */
final class PlanRun<S> {

  private static final Logger log = LoggerFactory.getLogger(PlanRun.class);

  private final JobContext job;
  private final List<PlannedTask<S, ?>> tasks;
  private final Optional<States<S>> states;
  private final KeptOutputs kept;
  private final TaskTelling telling;

  PlanRun(JobContext job, List<PlannedTask<S, ?>> tasks, Optional<States<S>> states) {
    this.job = job;
    this.tasks = tasks;
    this.states = states;
    this.kept = new KeptOutputs(job);
    this.telling = new TaskTelling(job, tasks.size());
  }

  /** Does what is left to do. Answers the outputs of all tasks. */
  TaskOutputs run() throws Exception {
    var resumption = Resumption.of(job, tasks, states, kept.find(tasks));
    for (var task : tasks) {
      telling.tell(task, resumption.skips(task) ? TaskStatus.SKIPPED : TaskStatus.PENDING);
    }
    var state = new LazyState<>(job, states, resumption.from());
    var ended = false;
    try {
      for (var task : tasks) {
        if (!resumption.skips(task)) {
          run(task, state);
        }
      }
      ended = true;
    } finally {
      // One that was told to stop ends its state as gracefully as one that is done.
      state.end(ended || job.isCancelled(), ended);
    }
    return kept.outputs();
  }

  private <O> void run(PlannedTask<S, O> task, LazyState<S> state) throws Exception {
    job.throwIfCancelled();
    telling.begin(task);
    try {
      var output = work(task, state);
      job.throwIfCancelled(); // What it did may be a part only: nothing of it is kept.
      var snapshot = snapshot(task, state);
      kept.keep(task, output);
      telling.succeeded(task, snapshot.map(its -> its.key().output()));
      if (snapshot.isPresent()) {
        deleteSnapshotsBefore(task);
      }
    } catch (Exception e) { // Whatever a task throws fails its attempt, and is told of that task.
      throw failure(task, e);
    }
  }

  private <O> O work(PlannedTask<S, O> task, LazyState<S> state) throws Exception {
    var output = task.task().work().run(new RunningTask<>(job, task, tasks, kept.outputs(), state));
    return Objects.requireNonNull(output, "a task must give something, not null");
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

  // Only now, when the newer one counts: nobody goes back to them any more.
  private void deleteSnapshotsBefore(PlannedTask<S, ?> task) {
    for (var before : tasks.subList(0, task.place())) {
      try {
        states.orElseThrow().after(job, before).delete();
      } catch (IOException e) {
        log.warn("the snapshot after task {} of job {} is left over", before.id(), job.id(), e);
      }
    }
  }

  // What decides by itself what becomes of the job is let through, or keeps its meaning.
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
      case JobsException its when its.code().blame() != ErrorCode.Blame.CALLER -> its;
      case PermanentFailure its -> new PermanentFailure(TaskFailure.message(task.id(), its), its);
      default -> new TaskFailure(task.id(), failure);
    };
  }
}
