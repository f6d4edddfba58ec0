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
 * A task in its place.
 *
 * @param place from 0
 * @param key of its output: the same in all attempts, as long as it and all tasks before it are
 * @param isInState whether its effects are in a state that there is
 */
record PlannedTask<S, O>(Task<S, O> task, int place, String key, boolean isInState) {

  /** What a job may have as steps, less what a plan's handler may want for itself. */
  private static final int TASKS_MOST = 500;

  private static final int DIGEST_BYTES = 16;

  String id() {
    return task.id();
  }

  /** From 1, as people count. */
  int position() {
    return place + 1;
  }

  /**
   * Puts tasks in their places.
   *
   * @throws IllegalArgumentException if there are none or too many, or two have the same id
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

  // The length parts what is written without a mark between. Whether it is in the state counts,
  // too: a task that was outside has left nothing there.
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
