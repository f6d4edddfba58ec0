package io.leasehold.jobs;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a job.
 *
 * @param <O> the output of its handler
 */
public sealed interface JobResult<O> {

  /**
   * Its handler returned.
   *
   * @param output what it returned, if anything
   */
  record Succeeded<O>(@Nullable O output) implements JobResult<O> {}

  /**
   * It ended otherwise.
   *
   * @param status failed, timed out or cancelled
   * @param error what its handler failed with, if it did
   */
  record Ended<O>(JobStatus status, Optional<String> error) implements JobResult<O> {}

  /**
   * There is no result yet.
   *
   * @param status queued or running
   */
  record NotOver<O>(JobStatus status) implements JobResult<O> {}

  /** There is no such job that the caller may read. */
  record NotFound<O>() implements JobResult<O> {}
}
