package io.leasehold.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * A task of a job, as the job told of it last: by its events of the kind {@link #EVENT}.
 *
 * @param id names it in the job
 * @param position its place among the job's tasks, from 1; 0 if that was not told
 * @param status where it is
 * @param attempt the attempt that told so
 * @param at when that was, by the database's clock
 * @param snapshot the name of the snapshot that was taken after it, if one was
 * @param error what it failed with, if it failed
 */
public record JobTask(
    String id,
    int position,
    TaskStatus status,
    int attempt,
    Instant at,
    Optional<String> snapshot,
    Optional<String> error) {

  /** The kind of events that tell of tasks. */
  public static final String EVENT = "task_status";
}
