package io.leasehold.jobs;

/** The outcome of a cancellation. */
public sealed interface Cancellation {

  /** The job was not running and will never run. */
  record Cancelled() implements Cancellation {}

  /**
   * The job is running. Its handler is notified, and interrupted after a grace period; the job may
   * still finish before that.
   */
  record Requested() implements Cancellation {}

  /**
   * The job had already finished.
   *
   * @param status the final status
   */
  record TooLate(JobStatus status) implements Cancellation {}

  /** The tenant has no such job. */
  record NotFound() implements Cancellation {}
}
