package io.leasehold.jobs;

/** What came of asking for a dead letter's removal. */
public sealed interface Disposal {

  /** It is gone, with all that belonged to it; its key is free. */
  record Discarded() implements Disposal {}

  /**
   * It is no dead letter, and was not touched.
   *
   * @param status what it is
   */
  record NotDead(JobStatus status) implements Disposal {}

  /** The tenant has no such job. */
  record NotFound() implements Disposal {}
}
