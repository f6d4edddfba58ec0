package io.leasehold.plans;

import java.util.regex.Pattern;

/**
 * A part of a plan. Immutable; each method returns a changed copy.
 *
 * <p>Its output is kept under a key that follows from the job, all tasks before it, its id and its
 * declared input. While a later attempt finds an output under the same key, the task is not done
 * again; once one is not the same, neither are all that come after it.
 *
 * @param id names it in the plan: 1 to 100 small letters, digits and {@code _ . -}
 * @param input what it works by, if that may change while the job lives, as the text of a script;
 *     default nothing
 * @param output what it gives
 * @param isInState whether its effects are in the state: then it is done again if these are in no
 *     snapshot; default yes
 * @param work what it does
 * @param <S> what it works on
 * @param <O> what it gives
 */
public record Task<S, O>(
    String id, String input, Class<O> output, boolean isInState, Work<S, O> work) {

  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,99}");

  /**
   * Checks the id.
   *
   * @throws IllegalArgumentException if it is none
   */
  public Task {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id must be 1 to 100 small letters, digits, dots, underscores and hyphens, not " + id);
    }
  }

  /** What a task does. */
  @FunctionalInterface
  public interface Work<S, O> {

    /**
     * Works. To return is to succeed; to throw fails the attempt, whose retry goes on at this task.
     * The thread is interrupted as a handler's is.
     *
     * @return what can be written as JSON, of at most a megabyte; not null
     */
    O run(TaskContext<S> task) throws Exception;
  }

  /** What a task does that gives nothing. */
  @FunctionalInterface
  public interface Action<S> {

    /** Works, as {@link Work#run}. */
    void run(TaskContext<S> task) throws Exception;
  }

  /** A task that gives something. */
  public static <S, O> Task<S, O> of(String id, Class<O> output, Work<S, O> work) {
    return new Task<>(id, "", output, true, work);
  }

  /** A task that gives nothing but that it is done. */
  public static <S> Task<S, Boolean> doing(String id, Action<S> action) {
    return of(
        id,
        Boolean.class,
        task -> {
          action.run(task);
          return true;
        });
  }

  /** What it works by: if that is another one later, the task is done again. */
  public Task<S, O> input(String input) {
    return new Task<>(id, input, output, isInState, work);
  }

  /**
   * Its effects are not in the state, which it does not see: once its output is kept it is never
   * done again, whatever becomes of the state.
   */
  public Task<S, O> outside() {
    return new Task<>(id, input, output, false, work);
  }
}
