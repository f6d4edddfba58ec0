package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.util.List;
import java.util.Optional;

/**
 * The outputs of tasks that are done, each a step of the job: kept once, under the fence of the
 * lease, and found by every later attempt.
 */
final class KeptOutputs {

  private final JobContext job;
  private final TaskOutputs outputs = new TaskOutputs();

  KeptOutputs(JobContext job) {
    this.job = job;
  }

  /** A step that is not done is not done now either. */
  private static final class NotKept extends Exception {
    private static final long serialVersionUID = 1L;

    private NotKept() {
      super(null, null, false, false);
    }
  }

  /** Answers how many tasks, from the first on, have their outputs kept. */
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

  /** Keeps what a task gave. Of one that was done before, what it gave then stays. */
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
