package io.leasehold.jobs.deadletters;

import io.leasehold.jobs.JobStatus;

/** The outcome of discarding a dead letter. */
public sealed interface DiscardOutcome {

  /** The job was deleted with everything that belonged to it; its key is free. */
  record Discarded() implements DiscardOutcome {}

  /**
   * The job is not a dead letter and was not deleted.
   *
   * @param status the status of the job
   */
  record NotDead(JobStatus status) implements DiscardOutcome {}

  /** The tenant has no such job. */
  record NotFound() implements DiscardOutcome {}
}
