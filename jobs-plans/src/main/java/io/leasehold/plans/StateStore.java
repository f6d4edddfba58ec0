package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.ExternalStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Stores snapshots where all workers find them. A state is a folder of files. Snapshots are deleted
 * with their jobs if the store is registered for that, see {@link ExternalStorage}. Safe to share
 * between threads and processes.
 */
public interface StateStore extends ExternalStorage {

  /**
   * Saves the files of a folder under a key that no other attempt uses. It is atomic: if it fails,
   * or the process ends meanwhile, no file is stored.
   */
  void save(SnapshotKey key, Path folder) throws IOException, InterruptedException;

  /** Returns the keys of all complete snapshots of a job, in no particular order. */
  List<SnapshotKey> kept(TenantId tenant, JobId job) throws IOException;

  /**
   * Restores the snapshot stored under the key.
   *
   * @param folder the target, which must not exist yet
   * @throws java.nio.file.NoSuchFileException if the key has no snapshot
   */
  void restore(SnapshotKey key, Path folder) throws IOException, InterruptedException;

  /** Deletes the snapshot stored under the key, if any. */
  void delete(SnapshotKey key) throws IOException;
}
