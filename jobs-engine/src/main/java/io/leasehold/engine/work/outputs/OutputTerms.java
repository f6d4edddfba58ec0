package io.leasehold.engine.work.outputs;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.outputs.OutputStore;
import java.util.Optional;

/**
 * Where this process stores the files of jobs.
 *
 * @param store the store, if this process has one
 * @param bytesMost the maximum size of a file in bytes
 */
public record OutputTerms(Optional<OutputStore> store, long bytesMost) {

  /**
   * Returns the store.
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
