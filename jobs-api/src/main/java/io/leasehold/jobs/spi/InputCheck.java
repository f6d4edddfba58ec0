package io.leasehold.jobs.spi;

import io.leasehold.jobs.ErrorCode;

/**
 * Checks a job's input before anything of the job is stored. Every submitter calls it on its own
 * thread; several do so concurrently.
 *
 * @param <I> the input
 */
@FunctionalInterface
public interface InputCheck<I> {

  /** Accepts any input. The default. */
  static <I> InputCheck<I> none() {
    return input -> {};
  }

  /**
   * Returns if the input is valid for a job.
   *
   * @throws IllegalArgumentException if the input is invalid: the submission is refused with {@link
   *     ErrorCode#INPUT_REFUSED} and the message of this exception
   */
  void check(I input);
}
