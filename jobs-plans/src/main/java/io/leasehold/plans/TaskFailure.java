package io.leasehold.plans;

/** Reports which task of a plan failed; the cause is the exception that the task threw. */
public final class TaskFailure extends Exception {

  private static final long serialVersionUID = 1L;

  private final String task;

  TaskFailure(String task, Throwable cause) {
    super(message(task, cause), cause);
    this.task = task;
  }

  static String message(String task, Throwable cause) {
    return "task %s failed: %s".formatted(task, cause);
  }

  /** The task that failed. */
  public String task() {
    return task;
  }
}
