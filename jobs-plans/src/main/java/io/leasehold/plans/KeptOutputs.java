package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.util.List;
import java.util.Optional;

/**
 * The outputs of finished tasks, each stored as a step of the job: stored once, under the lease's
 * fence, and found by every later attempt.
 */
final class KeptOutputs {

  private final JobContext job;
  private final TaskOutputs outputs = new TaskOutputs();

  KeptOutputs(JobContext job) {
    this.job = job;
  }

  /** Thrown by a step's body, so that looking up a step that is not done does not run it. */
  private static final class NotKept extends Exception {
    private static final long serialVersionUID = 1L;

    private NotKept() {
      super(null, null, false, false);
    }
  }

  /** Returns how many tasks, counted from the first, have stored outputs. */
  int find(List<? extends PlannedTask<?, ?>> tasks) throws Exception {
    var found = 0;
    while (found < tasks.size() && find(tasks.get(found))) {
      found++;
    }
    return found;
  }

  private <O> boolean find(PlannedTask<?, O> task) throws Exception {
    return look(task)
        .map(
            output -> {
              outputs.add(task.id(), output);
              return true;
            })
        .orElse(false);
  }

  private <O> Optional<O> look(PlannedTask<?, O> task) throws Exception {
    try {
      return Optional.of(
          job.step(
              name(task),
              task.task().output(),
              () -> {
                throw new NotKept();
              }));
    } catch (NotKept e) {
      return Optional.empty();
    }
  }

  /** Stores the output of a task. If the task was done before, the output stored then stays. */
  <O> void keep(PlannedTask<?, O> task, O output) throws Exception {
    outputs.add(task.id(), job.step(name(task), task.task().output(), () -> output));
  }

  TaskOutputs outputs() {
    return outputs;
  }

  private static String name(PlannedTask<?, ?> task) {
    return "task " + task.key();
  }
}
