package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;

/**
 * A task and its position in the plan.
 *
 * @param place the position, starting at 0
 * @param key the key of its output: the same in all attempts, as long as the task and all tasks
 *     before it are unchanged
 * @param isInState whether its effects are in the state, if the plan has one
 */
record PlannedTask<S, O>(Task<S, O> task, int place, String key, boolean isInState) {

  /** The number of steps a job may have, less what a plan's handler may need for itself. */
  private static final int TASKS_MOST = 500;

  private static final int DIGEST_BYTES = 16;

  String id() {
    return task.id();
  }

  /** The position as shown to people, starting at 1. */
  int position() {
    return place + 1;
  }

  /**
   * Numbers the tasks of a plan.
   *
   * @throws IllegalArgumentException if there are no tasks, too many, or two with the same id
   */
  static <S> List<PlannedTask<S, ?>> inOrder(JobId job, List<Task<S, ?>> tasks, boolean hasState) {
    if (tasks.isEmpty() || tasks.size() > TASKS_MOST) {
      throw new IllegalArgumentException(
          "a plan must have 1 to %d tasks, not %d".formatted(TASKS_MOST, tasks.size()));
    }
    var ids = new HashSet<String>();
    var planned = new ArrayList<PlannedTask<S, ?>>();
    var before = job.toString();
    for (var task : tasks) {
      if (!ids.add(task.id())) {
        throw new IllegalArgumentException("two tasks have the id " + task.id());
      }
      var digest = digest(before, task);
      planned.add(inPlace(task, planned.size(), digest, hasState));
      before = digest;
    }
    return List.copyOf(planned);
  }

  private static <S, O> PlannedTask<S, O> inPlace(
      Task<S, O> task, int place, String digest, boolean hasState) {
    return new PlannedTask<>(task, place, task.id() + "-" + digest, hasState && task.isInState());
  }

  // The length separates parts that are written without a delimiter. Whether the task is in the
  // state counts too: a task that ran outside left nothing there.
  private static String digest(String before, Task<?, ?> task) {
    var whole =
        "%s %s %b %d %s"
            .formatted(before, task.id(), task.isInState(), task.input().length(), task.input());
    try {
      var sum = MessageDigest.getInstance("SHA-256").digest(whole.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
