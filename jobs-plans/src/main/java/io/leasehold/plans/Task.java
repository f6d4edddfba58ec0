package io.leasehold.plans;

import java.util.regex.Pattern;

/**
 * A part of a plan. Immutable; each method returns a changed copy.
 *
 * <p>Its output is stored under a key derived from the job, all tasks before it, its id and its
 * declared input. While a later attempt finds an output under the same key, the task is not run
 * again. If one key changes, so do the keys of all later tasks.
 *
 * @param id names the task in the plan: 1 to 100 lower-case letters, digits and {@code _ . -}
 * @param input what the task depends on, if that may change during the job's life, such as the text
 *     of a script; default empty
 * @param output the class of its output
 * @param isInState whether its effects are in the state; if so, it is run again when no snapshot
 *     contains them; default true
 * @param work the code to run
 * @param <S> the state that the task works on
 * @param <O> the output
 */
public record Task<S, O>(
    String id, String input, Class<O> output, boolean isInState, Work<S, O> work) {

  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,99}");

  /**
   * Checks the id.
   *
   * @throws IllegalArgumentException if the id is invalid
   */
  public Task {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id must be 1 to 100 small letters, digits, dots, underscores and hyphens, not " + id);
    }
  }

  /** The code of a task. */
  @FunctionalInterface
  public interface Work<S, O> {

    /**
     * Runs the task. Returning means success; an exception fails the attempt, and its retry resumes
     * at this task. The thread is interrupted like a handler's.
     *
     * @return a value that can be written as JSON of at most a megabyte; not null
     */
    O run(TaskContext<S> task) throws Exception;
  }

  /** The code of a task without an output. */
  @FunctionalInterface
  public interface Action<S> {

    /** Runs the task, as {@link Work#run}. */
    void run(TaskContext<S> task) throws Exception;
  }

  /** Creates a task that has an output. */
  public static <S, O> Task<S, O> of(String id, Class<O> output, Work<S, O> work) {
    return new Task<>(id, "", output, true, work);
  }

  /** Creates a task whose only output is that it is done. */
  public static <S> Task<S, Boolean> doing(String id, Action<S> action) {
    return of(
        id,
        Boolean.class,
        task -> {
          action.run(task);
          return true;
        });
  }

  /** Declares what the task depends on; if it changes later, the task is run again. */
  public Task<S, O> input(String input) {
    return new Task<>(id, input, output, isInState, work);
  }

  /**
   * Declares that the task's effects are not in the state, which the task does not see. Once its
   * output is stored the task is never run again, even if the state is lost.
   */
  public Task<S, O> outside() {
    return new Task<>(id, input, output, false, work);
  }
}
