package io.leasehold.jobs.history;

import java.time.Instant;
import java.util.Optional;

/**
 * A task of a job, in the state that the job last reported by an event of the kind {@link #EVENT}.
 *
 * @param id the id of the task, unique in the job
 * @param position the position among the job's tasks, from 1; 0 if none was reported
 * @param status the status of the task
 * @param attempt the attempt that reported this state
 * @param at when the state was reported, by the database's clock
 * @param snapshot the name of the snapshot taken after the task, if any
 * @param error the error of the task, if it failed
 */
public record JobTask(
    String id,
    int position,
    TaskStatus status,
    int attempt,
    Instant at,
    Optional<String> snapshot,
    Optional<String> error) {

  /** The kind of the events that report tasks. */
  public static final String EVENT = "task_status";
}
