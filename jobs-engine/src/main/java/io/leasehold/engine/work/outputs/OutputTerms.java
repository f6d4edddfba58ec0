package io.leasehold.engine.work.outputs;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.OutputStore;
import java.util.Optional;

/**
 * Where this process keeps the files of jobs.
 *
 * @param store if it has a place for them
 * @param bytesMost how many bytes a file has at most
 */
public record OutputTerms(Optional<OutputStore> store, long bytesMost) {

  /**
   * The place.
   *
   * @throws JobsException with {@link ErrorCode#OUTPUT_UNAVAILABLE} if there is none
   */
  OutputStore requireStore() {
    return store.orElseThrow(
        () ->
            new JobsException(
                ErrorCode.OUTPUT_UNAVAILABLE,
                "this process has no place for files of jobs: set EngineConfig.outputs"));
  }
}
