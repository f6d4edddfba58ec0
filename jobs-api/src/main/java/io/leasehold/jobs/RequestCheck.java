package io.leasehold.jobs;

/**
 * Checks a request as a whole, metadata included, before anything of its job is stored. Every
 * submitter calls it on its own thread; several do so at once.
 *
 * <p>{@link InputCheck} is enough for a rule about the input alone.
 */
@FunctionalInterface
public interface RequestCheck {

  /**
   * Returns if the job may be stored.
   *
   * @param request as interceptors changed it; of a schedule, its template
   * @throws IllegalArgumentException if not: the submission is refused with {@link
   *     ErrorCode#INPUT_REFUSED} and the message of this exception
   */
  void check(JobRequest<?, ?> request);
}
