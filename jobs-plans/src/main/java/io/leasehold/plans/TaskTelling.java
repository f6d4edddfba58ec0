package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.jobs.history.TaskStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the status of a plan's tasks in the job's history and progress. */
final class TaskTelling {

  private static final Logger log = LoggerFactory.getLogger(TaskTelling.class);
  private static final int ERROR_MOST = 4_000;
  private static final int WHOLE = 100;

  private final JobContext job;
  private final int of;

  TaskTelling(JobContext job, int of) {
    this.job = job;
    this.of = of;
  }

  void pending(PlannedTask<?, ?> task) {
    tell(task, TaskStatus.PENDING, Map.of());
  }

  /**
   * Reports that an earlier attempt has done the task; that attempt may have died before it could
   * report it.
   */
  void skipped(PlannedTask<?, ?> task, Optional<Snapshot> snapshot) {
    tell(task, TaskStatus.SKIPPED, named(snapshot));
  }

  void begin(PlannedTask<?, ?> task) {
    tell(task, TaskStatus.RUNNING, Map.of());
    job.progress(WHOLE * task.place() / of, "task " + task.id());
  }

  /** Reports that the task is certainly done. */
  void succeeded(PlannedTask<?, ?> task, Optional<Snapshot> snapshot) {
    tell(task, TaskStatus.SUCCEEDED, named(snapshot));
    job.progress(WHOLE * task.position() / of, "task " + task.id());
  }

  private static Map<String, Object> named(Optional<Snapshot> snapshot) {
    return snapshot
        .<Map<String, Object>>map(taken -> Map.of("snapshot", taken.key().name()))
        .orElse(Map.of());
  }

  void failed(PlannedTask<?, ?> task, Throwable failure) {
    tellLast(task, TaskStatus.FAILED, Map.of("error", readable(String.valueOf(failure))));
  }

  /** Reports that the task will be done later, which is not a failure. */
  void putOff(PlannedTask<?, ?> task) {
    tellLast(task, TaskStatus.PENDING, Map.of());
  }

  void cancelled(PlannedTask<?, ?> task) {
    tellLast(task, TaskStatus.CANCELLED, Map.of());
  }

  private void tell(PlannedTask<?, ?> task, TaskStatus status, Map<String, Object> more) {
    var body = new LinkedHashMap<String, Object>();
    body.put("task_id", task.id());
    body.put("position", task.position());
    body.put("of", of);
    body.put("status", status.word());
    body.put("attempt", job.attempt());
    body.put("output", task.key());
    body.putAll(more);
    job.event(JobTask.EVENT, body);
  }

  // The reason that ended the task counts, even if it cannot be reported, usually because the lease
  // is lost.
  private void tellLast(PlannedTask<?, ?> task, TaskStatus status, Map<String, Object> more) {
    try {
      tell(task, status, more);
    } catch (JobsException e) {
      log.debug(
          "the event that task {} of job {} is {} could not be written",
          task.id(),
          job.id(),
          status,
          e);
    }
  }

  // Readers of an error do not miss the characters that JSON would have to escape.
  private static String readable(String text) {
    var kept = new StringBuilder();
    text.codePoints()
        .limit(ERROR_MOST)
        .map(c -> isReadable(c) ? c : '?')
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static boolean isReadable(int c) {
    var isHalf = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return c == '\n' || c == '\t' || !(Character.isISOControl(c) || isHalf);
  }
}
