package io.leasehold.engine.inmemory;

import io.leasehold.engine.service.values.Json;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.jobs.history.TaskStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Derives the tasks of an in-memory job from its history, as {@code leasehold.list_tasks} does for
 * stored jobs. Events that are not about a task are skipped.
 */
final class TasksTold {

  private static final Comparator<JobTask> IN_ORDER =
      Comparator.comparingInt(JobTask::position).thenComparing(JobTask::id);
  private static final int MOST = 500;
  private static final int DIGITS_MOST = 6;

  private TasksTold() {}

  static List<JobTask> of(List<JobEvent> events) {
    var last = new LinkedHashMap<String, JobTask>();
    var attempt = 0;
    var inPlan = Integer.MAX_VALUE;
    for (var event : events) {
      if (event.kind().equals(JobTask.EVENT) && event.body().startsWith("{")) {
        var body = Json.read(JSON.valueOf(event.body()), Map.class);
        var task = task(event, body);
        if (task.isPresent()) {
          last.put(task.get().id(), task.get());
          attempt = event.attempt();
          inPlan = number(body.get("of")).orElse(Integer.MAX_VALUE);
        }
      }
    }
    leaveOutEarlier(last.values(), attempt, inPlan);
    return last.values().stream().sorted(IN_ORDER).limit(MOST).toList();
  }

  // Removes the tasks that the last attempt did not name, once that attempt has named as many tasks
  // as its plan has.
  private static void leaveOutEarlier(Collection<JobTask> tasks, int attempt, int inPlan) {
    if (tasks.stream().filter(task -> task.attempt() == attempt).count() >= inPlan) {
      tasks.removeIf(task -> task.attempt() != attempt);
    }
  }

  private static Optional<JobTask> task(JobEvent event, Map<?, ?> body) {
    var id = String.valueOf(body.get("task_id"));
    var status =
        List.of(TaskStatus.values()).stream()
            .filter(known -> known.word().equals(body.get("status")))
            .findAny();
    return status
        .filter(_ -> id.matches("[a-z0-9][a-z0-9_.-]{0,99}") && body.get("task_id") != null)
        .map(
            known ->
                new JobTask(
                    id,
                    number(body.get("position")).orElse(0),
                    known,
                    event.attempt(),
                    event.at(),
                    text(body.get("snapshot")),
                    text(body.get("error"))));
  }

  private static Optional<Integer> number(@Nullable Object value) {
    return Optional.of(String.valueOf(value))
        .filter(digits -> digits.matches("[0-9]{1,%d}".formatted(DIGITS_MOST)))
        .map(Integer::valueOf);
  }

  private static Optional<String> text(@Nullable Object value) {
    return Optional.ofNullable(value).map(String::valueOf);
  }
}
