package io.leasehold.jobs.outputs;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.util.List;
import java.util.Optional;

/**
 * Reads the files that a caller's jobs produced, see {@link JobContext#output}. A file can be read
 * as soon as the transaction that stored it has committed, even while the job is running, until the
 * job is deleted. Another tenant's job, a job that never existed and an in-memory job are not
 * distinguished: all are not found.
 *
 * <p>Safe to share between threads. A database failure is thrown as a {@link JobsException} with
 * its code.
 */
public interface JobOutputs {

  /**
   * Lists the files of a job, ordered by name: at most a thousand.
   *
   * @return empty if the job does not exist or the caller may not read it
   */
  Optional<List<JobOutput>> list(SecurityContext caller, JobId job);

  /**
   * Opens a file for reading. The caller must close it. If a later attempt replaces the file, an
   * open one does not change.
   *
   * @return empty if the job does not exist, the caller may not read it, or it has no such file
   * @throws JobsException with {@link ErrorCode#OUTPUT_UNAVAILABLE} if the file exists but its
   *     bytes are unavailable in this process
   */
  Optional<OpenOutput> open(SecurityContext caller, JobId job, String name);
}
