package io.leasehold.jobs;

/** What came of asking for a job's end. */
public sealed interface Cancellation {

  /** It had not been running and will not run. */
  record Cancelled() implements Cancellation {}

  /**
   * It runs: its handler is told, and interrupted after a grace. It may still finish before that.
   */
  record Requested() implements Cancellation {}

  /**
   * It is over already.
   *
   * @param status how it ended
   */
  record TooLate(JobStatus status) implements Cancellation {}

  /** The tenant has no such job. */
  record NotFound() implements Cancellation {}
}
