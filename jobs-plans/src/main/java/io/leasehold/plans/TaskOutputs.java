package io.leasehold.plans;

import java.util.HashMap;
import java.util.Map;

/** The outputs of a plan's tasks, from all attempts. */
public final class TaskOutputs {

  private final Map<String, Object> outputs = new HashMap<>();

  TaskOutputs() {}

  void add(String task, Object output) {
    outputs.put(task, output);
  }

  /**
   * Returns the output of a task.
   *
   * @throws IllegalArgumentException if no such task is done, or its output has another type
   */
  public <T> T of(String task, Class<T> type) {
    var output = outputs.get(task);
    if (output == null) {
      throw new IllegalArgumentException("no task %s is done".formatted(task));
    }
    if (!type.isInstance(output)) {
      throw new IllegalArgumentException(
          "task %s gave a %s, not a %s"
              .formatted(task, output.getClass().getName(), type.getName()));
    }
    return type.cast(output);
  }
}
