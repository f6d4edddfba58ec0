package io.leasehold.jobs;

/** The outcome of a deletion. */
public sealed interface Deletion {

  /** The job was deleted with everything that belonged to it; its key is free. */
  record Deleted() implements Deletion {}

  /** The job is running and was not deleted. */
  record Running() implements Deletion {}

  /** The job is running. It was told to stop and will be deleted when it has ended. */
  record Requested() implements Deletion {}

  /** The tenant has no such job. */
  record NotFound() implements Deletion {}
}
