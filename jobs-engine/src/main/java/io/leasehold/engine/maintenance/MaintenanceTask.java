package io.leasehold.engine.maintenance;

import java.time.Duration;
import java.util.Optional;

/**
 * A recurring task.
 *
 * @param who the processes that run it
 * @param name the name of its thread, and of the lead in it
 * @param description the task in the log
 * @param every the pause between two runs; empty for work that repeats itself until interrupted
 * @param work a run of the task
 */
record MaintenanceTask(
    Who who, String name, String description, Optional<Duration> every, Runnable work) {

  /** The processes that run a task. */
  enum Who {
    /** Each process. */
    ALL,
    /** Each process that runs jobs. */
    WORKERS,
    /** Each process with the duty of maintenance. */
    MAINTAINERS,
    /** One of the processes with that duty. */
    LEADER,
    /** Each process without that duty. */
    OTHERS,
    /** No process: there is nothing to do. */
    NONE
  }

  /** Returns a task that is repeated after a pause. */
  static MaintenanceTask periodic(
      Who who, String name, String description, Duration every, Runnable work) {
    return new MaintenanceTask(who, name, description, Optional.of(every), work);
  }

  /** Returns a task that repeats itself, and logs its own failures. */
  static MaintenanceTask loop(Who who, String name, Runnable work) {
    return new MaintenanceTask(who, name, name, Optional.empty(), work);
  }
}
