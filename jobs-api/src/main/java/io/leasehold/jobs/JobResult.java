package io.leasehold.jobs;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a job.
 *
 * @param <O> the output of the handler
 */
public sealed interface JobResult<O> {

  /**
   * The handler returned.
   *
   * @param output the returned value, if any
   */
  record Succeeded<O>(@Nullable O output) implements JobResult<O> {}

  /**
   * The job ended without success.
   *
   * @param status failed, timed out or cancelled
   * @param error the error of the handler, if it failed
   */
  record Ended<O>(JobStatus status, Optional<String> error) implements JobResult<O> {}

  /**
   * The job has no result yet.
   *
   * @param status queued or running
   */
  record NotOver<O>(JobStatus status) implements JobResult<O> {}

  /** The job does not exist, or the caller may not read it. */
  record NotFound<O>() implements JobResult<O> {}
}
