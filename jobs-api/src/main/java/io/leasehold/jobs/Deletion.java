package io.leasehold.jobs;

/** What came of asking for a job's removal. */
public sealed interface Deletion {

  /** It is gone, with all that belonged to it; its key is free. */
  record Deleted() implements Deletion {}

  /** It runs, and was not touched. */
  record Running() implements Deletion {}

  /** It runs; its end was requested, and it is removed then. */
  record Requested() implements Deletion {}

  /** The tenant has no such job. */
  record NotFound() implements Deletion {}
}
