package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.history.JobTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A running task's view of its job. */
record RunningTask<S>(
    JobContext context,
    PlannedTask<S, ?> task,
    List<PlannedTask<S, ?>> tasks,
    TaskOutputs outputs,
    LazyState<S> lazyState)
    implements TaskContext<S> {

  @Override
  public JobId job() {
    return context.id();
  }

  @Override
  public SecurityContext caller() {
    return context.caller();
  }

  @Override
  public int attempt() {
    return context.attempt();
  }

  @Override
  public long fenceToken() {
    return context.fenceToken();
  }

  @Override
  public Optional<Duration> remaining() {
    return context.remaining();
  }

  @Override
  public S state() throws Exception {
    if (!task.isInState()) {
      throw new IllegalStateException(
          "task %s is outside the state, and does not see it".formatted(task.id()));
    }
    return lazyState.get();
  }

  @Override
  public <T> T output(String id, Class<T> type) {
    if (tasks.subList(0, task.place()).stream().noneMatch(earlier -> earlier.id().equals(id))) {
      throw new IllegalArgumentException("no task %s is before %s".formatted(id, task.id()));
    }
    return outputs.of(id, type);
  }

  @Override
  public void event(String kind, Object body) {
    if (kind.equals(JobTask.EVENT)) {
      throw new IllegalArgumentException(
          "kind must be one of the task's own: %s is told by the plan".formatted(kind));
    }
    context.event(kind, body);
  }

  @Override
  public boolean isCancelled() {
    return context.isCancelled();
  }

  @Override
  public void throwIfCancelled() {
    context.throwIfCancelled();
  }
}
