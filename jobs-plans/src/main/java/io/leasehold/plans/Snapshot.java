package io.leasehold.plans;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A snapshot that is stored, or will be.
 *
 * @param store where it is stored
 * @param key the key it is stored under
 */
public record Snapshot(StateStore store, SnapshotKey key) {

  /** Saves the files of a folder. */
  public void save(Path folder) throws IOException, InterruptedException {
    store.save(key, folder);
  }

  /** Restores the files into a folder that does not exist yet. */
  public void restore(Path folder) throws IOException, InterruptedException {
    store.restore(key, folder);
  }

  /** Deletes the snapshot, if it is stored. */
  public void delete() throws IOException {
    store.delete(key);
  }
}
