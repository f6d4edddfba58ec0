package io.leasehold.engine.memory;

import io.leasehold.engine.submit.Json;
import io.leasehold.jobs.JobEvent;
import io.leasehold.jobs.JobTask;
import io.leasehold.jobs.TaskStatus;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * What the history of a job in memory says of its tasks: as {@code leasehold.list_tasks} has it of
 * the stored. What is no word about a task is passed over.
 */
final class TasksTold {

  private static final Comparator<JobTask> IN_ORDER =
      Comparator.comparingInt(JobTask::position).thenComparing(JobTask::id);
  private static final int MOST = 500;
  private static final int DIGITS_MOST = 6;

  private TasksTold() {}

  static List<JobTask> of(List<JobEvent> events) {
    var last = new LinkedHashMap<String, JobTask>();
    for (var event : events) {
      if (event.kind().equals(JobTask.EVENT) && event.body().startsWith("{")) {
        task(event).ifPresent(task -> last.put(task.id(), task));
      }
    }
    return last.values().stream().sorted(IN_ORDER).limit(MOST).toList();
  }

  private static Optional<JobTask> task(JobEvent event) {
    var body = Json.read(JSON.valueOf(event.body()), Map.class);
    var id = String.valueOf(body.get("task_id"));
    var status =
        List.of(TaskStatus.values()).stream()
            .filter(its -> its.word().equals(body.get("status")))
            .findAny();
    return status
        .filter(_ -> id.matches("[a-z0-9][a-z0-9_.-]{0,99}") && body.get("task_id") != null)
        .map(
            its ->
                new JobTask(
                    id,
                    position(String.valueOf(body.get("position"))),
                    its,
                    event.attempt(),
                    event.at(),
                    text(body.get("snapshot")),
                    text(body.get("error"))));
  }

  private static int position(String position) {
    return position.matches("[0-9]{1,%d}".formatted(DIGITS_MOST)) ? Integer.parseInt(position) : 0;
  }

  private static Optional<String> text(@Nullable Object value) {
    return Optional.ofNullable(value).map(String::valueOf);
  }
}
