package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.plans.process.CopyFolder;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.plans.process.LockedFolder;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * Keeps snapshots in a folder that all workers see, as {@code tenant/job/output}.
 *
 * <p>One is copied under another name, written to the disk, and then renamed: whoever looks finds
 * all of it or nothing, also after a power cut. Where the file system can, the copy shares its
 * blocks with the state and costs next to nothing (XFS, Btrfs). Safe to share between threads and
 * processes.
 */
public final class FolderStore implements StateStore {

  private static final String HALF = ".half-";
  private static final int TRIES = 10;

  private final Path root;

  /** In a folder, which is made when it is first needed. */
  public FolderStore(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  @Override
  public void save(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    var place = place(key);
    // Not what a living process has in hand: it may be an attempt that has lost its job, or the one
    // that has it.
    LockedFolder.deleteLeftOver(folder(key), HALF, _ -> {});
    try (var half = half(key)) {
      var whole = half.path().resolve("whole");
      CopyFolder.copy(folder, whole);
      CopyFolder.sync(whole);
      rename(whole, place, half.path());
      CopyFolder.sync(folder(key));
    }
  }

  private LockedFolder half(SnapshotKey key) throws IOException {
    return LockedFolder.make(folder(key), HALF + UUID.randomUUID());
  }

  // A folder cannot be renamed to one that is there: that one is moved aside first. Another attempt
  // may do the same at this moment, and its snapshot is as good.
  private static void rename(Path whole, Path place, Path half) throws IOException {
    for (var i = 0; i < TRIES; i++) {
      try {
        Files.move(whole, place, StandardCopyOption.ATOMIC_MOVE);
        return;
      } catch (FileSystemException e) {
        if (!Files.isDirectory(place) || i == TRIES - 1) {
          throw e;
        }
        moveAside(place, half.resolve("before" + i));
      }
    }
  }

  private static void moveAside(Path place, Path to) throws IOException {
    try {
      Files.move(place, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return; // Another one did.
    }
  }

  @Override
  public boolean exists(SnapshotKey key) {
    return Files.isDirectory(place(key));
  }

  @Override
  public void restore(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    if (!exists(key)) {
      throw new NoSuchFileException(place(key).toString());
    }
    CopyFolder.copy(place(key), folder);
  }

  // Renamed first: half deleted, it is found by nobody.
  @Override
  public void delete(SnapshotKey key) throws IOException {
    var place = place(key);
    if (!exists(key)) {
      return;
    }
    try (var half = half(key)) {
      moveAside(place, half.path().resolve("deleted"));
    }
  }

  @Override
  public void deleteAll(TenantId tenant, JobId job) throws IOException {
    DeleteFolder.delete(folder(tenant, job));
  }

  private Path folder(TenantId tenant, JobId job) {
    return root.resolve(tenant.toString()).resolve(job.toString());
  }

  private Path folder(SnapshotKey key) {
    return folder(key.tenant(), key.job());
  }

  private Path place(SnapshotKey key) {
    return folder(key).resolve(key.output());
  }
}
