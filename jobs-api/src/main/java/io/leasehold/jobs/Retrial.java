package io.leasehold.jobs;

/** What came of asking for another run of a job. */
public sealed interface Retrial {

  /** It is queued, to run as soon as a worker is free; its attempts are counted anew. */
  record Queued() implements Retrial {}

  /**
   * There is nothing to retry.
   *
   * @param status queued, running or succeeded
   */
  record NotNeeded(JobStatus status) implements Retrial {}

  /** The tenant has no such job. */
  record NotFound() implements Retrial {}
}
