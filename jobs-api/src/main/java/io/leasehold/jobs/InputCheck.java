package io.leasehold.jobs;

/**
 * Looks at a job's input before anything of the job is stored. It is asked by every submitter, on
 * its thread, by several at once.
 *
 * @param <I> the input
 */
@FunctionalInterface
public interface InputCheck<I> {

  /** Takes any input. The default. */
  static <I> InputCheck<I> none() {
    return input -> {};
  }

  /**
   * Returns if a job can be made of the input.
   *
   * @throws IllegalArgumentException if not: the submission is refused with {@link
   *     ErrorCode#INPUT_REFUSED} and this one's message
   */
  void check(I input);
}
