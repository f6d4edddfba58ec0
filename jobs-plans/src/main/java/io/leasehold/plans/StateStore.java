package io.leasehold.plans;

import io.leasehold.jobs.ExternalStorage;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Keeps snapshots, where all workers find them. A state is a folder of files. They go with their
 * jobs if the store is registered for that, see {@link ExternalStorage}. Safe to share between
 * threads and processes.
 */
public interface StateStore extends ExternalStorage {

  /**
   * Keeps the files of a folder under a key that no other attempt has: all of them or, if that
   * fails or the process ends meanwhile, none.
   */
  void save(SnapshotKey key, Path folder) throws IOException, InterruptedException;

  /** The keys of all that is kept of a job, in no order; never of a part. */
  List<SnapshotKey> kept(TenantId tenant, JobId job) throws IOException;

  /**
   * Puts what is kept under the key into a folder.
   *
   * @param folder is not there yet
   * @throws java.nio.file.NoSuchFileException if nothing is kept
   */
  void restore(SnapshotKey key, Path folder) throws IOException, InterruptedException;

  /** Removes what is kept under the key, if anything is. */
  void delete(SnapshotKey key) throws IOException;
}
