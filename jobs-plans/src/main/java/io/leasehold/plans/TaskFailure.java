package io.leasehold.plans;

/** A task of a plan failed: names it, and has what it threw as its cause. */
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

  /** Which task. */
  public String task() {
    return task;
  }
}
