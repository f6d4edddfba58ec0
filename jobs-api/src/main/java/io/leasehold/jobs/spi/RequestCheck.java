package io.leasehold.jobs.spi;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobRequest;

/**
 * Checks a whole request, including metadata, before anything of its job is stored. Every submitter
 * calls it on its own thread; several do so concurrently.
 *
 * <p>For a rule about the input alone, use {@link InputCheck}.
 */
@FunctionalInterface
public interface RequestCheck {

  /**
   * Returns if the job may be stored.
   *
   * @param request the request, as changed by interceptors; for a schedule, its template
   * @throws IllegalArgumentException if the job may not be stored: the submission is refused with
   *     {@link ErrorCode#INPUT_REFUSED} and the message of this exception
   */
  void check(JobRequest<?, ?> request);
}
