package io.leasehold.jobs;

import java.util.List;
import java.util.Optional;

/**
 * The files that a caller's jobs left, see {@link JobContext#output}. They can be read as soon as
 * the transaction in which they were left is committed, also while the job runs, until the job is
 * removed. Another tenant's job, one that never was, and one in memory are the same: not found.
 *
 * <p>Safe to share between threads. What the database cannot do is thrown as a {@link
 * JobsException} with its code.
 */
public interface JobOutputs {

  /**
   * Lists what a job left, in the order of the names: at most a thousand.
   *
   * @return nothing if the caller may read no such job
   */
  Optional<List<JobOutput>> list(SecurityContext caller, JobId job);

  /**
   * Opens a file, for the caller to read and close. What a later attempt leaves in its place does
   * not change what is read.
   *
   * @return nothing if the caller may read no such job, or it left no such file
   * @throws JobsException with {@link ErrorCode#OUTPUT_UNAVAILABLE} if there is one, and its bytes
   *     cannot be had in this process
   */
  Optional<OpenOutput> open(SecurityContext caller, JobId job, String name);
}
