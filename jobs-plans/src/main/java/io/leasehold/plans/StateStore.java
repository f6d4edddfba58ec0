package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Keeps snapshots, where all workers find them. A state is a folder of files. Safe to share between
 * threads and processes.
 */
public interface StateStore {

  /**
   * Keeps the files of a folder, in the place of what is kept under the key: all of them or, if
   * that fails or the process ends meanwhile, none.
   */
  void save(SnapshotKey key, Path folder) throws IOException, InterruptedException;

  /** Whether something is kept under the key; never a part. */
  boolean exists(SnapshotKey key) throws IOException;

  /**
   * Puts what is kept under the key into a folder.
   *
   * @param folder is not there yet
   * @throws java.nio.file.NoSuchFileException if nothing is kept
   */
  void restore(SnapshotKey key, Path folder) throws IOException, InterruptedException;

  /** Removes what is kept under the key, if anything is. */
  void delete(SnapshotKey key) throws IOException;

  /** Removes all that is kept of a job, and what was left over by processes that ended. */
  void deleteAll(TenantId tenant, JobId job) throws IOException;
}
