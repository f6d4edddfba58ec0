package io.leasehold.plans;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A snapshot that is kept, or will be.
 *
 * @param store where
 * @param key under which key
 */
public record Snapshot(StateStore store, SnapshotKey key) {

  /** Keeps the files of a folder. */
  public void save(Path folder) throws IOException, InterruptedException {
    store.save(key, folder);
  }

  /** Puts the files into a folder that is not there yet. */
  public void restore(Path folder) throws IOException, InterruptedException {
    store.restore(key, folder);
  }

  /** Removes it, if it is kept. */
  public void delete() throws IOException {
    store.delete(key);
  }
}
