package io.leasehold.jobs;

/** The outcome of a manual retry. */
public sealed interface RetryOutcome {

  /** The job is queued and runs as soon as a worker is free; its attempt count is reset. */
  record Queued() implements RetryOutcome {}

  /**
   * There is nothing to retry.
   *
   * @param status queued, running or succeeded
   */
  record NotNeeded(JobStatus status) implements RetryOutcome {}

  /** The tenant has no such job. */
  record NotFound() implements RetryOutcome {}
}
