package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.plans.process.CopyFolder;
import io.leasehold.plans.process.LockedFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Keeps snapshots in a folder that all workers share, as {@code tenant/job/name}.
 *
 * <p>A snapshot is copied under a temporary name, synced to disk, and then renamed: a reader finds
 * either all of it or nothing, even after a power failure. Where the file system supports it (XFS,
 * Btrfs), the copy shares blocks with the state and costs next to nothing. Safe to share between
 * threads and processes.
 */
public final class FolderStore implements StateStore {

  private static final String HALF = ".half-";
  private static final int TRIES = 10;

  private final Path root;

  /** Keeps snapshots in a folder, which is created when it is first needed. */
  public FolderStore(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  @Override
  public void save(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    var place = place(key);
    // Deletes no leftovers of a living process: that process may be an attempt that has lost the
    // job, or the attempt that holds it.
    deleteLeftOver(key.tenant(), key.job());
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

  // An existing folder cannot be replaced by a rename, so it is moved aside first. Another attempt
  // may do the same at the same time; its snapshot is equally good.
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
      return; // Another attempt moved it.
    }
  }

  @Override
  public List<SnapshotKey> kept(TenantId tenant, JobId job) throws IOException {
    return names(folder(tenant, job)).stream()
        .filter(SnapshotKey::isName)
        .map(name -> new SnapshotKey(tenant, job, name))
        .toList();
  }

  private static List<String> names(Path folder) throws IOException {
    var names = new ArrayList<String>();
    try (var all = Files.newDirectoryStream(folder)) {
      all.forEach(path -> names.add(String.valueOf(path.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of(); // It was deleted, or it is not one of our folders.
    }
    return names;
  }

  @Override
  public void restore(SnapshotKey key, Path folder) throws IOException, InterruptedException {
    if (!Files.isDirectory(place(key))) {
      throw new NoSuchFileException(place(key).toString());
    }
    CopyFolder.copy(place(key), folder);
  }

  // Renamed first, so that no reader finds a half-deleted snapshot.
  @Override
  public void delete(SnapshotKey key) throws IOException {
    var place = place(key);
    if (!Files.isDirectory(place)) {
      return;
    }
    try (var half = half(key)) {
      moveAside(place, half.path().resolve("deleted"));
    }
  }

  @Override
  public void visit(Visitor visitor) throws IOException, InterruptedException {
    for (var tenant : uuids(root)) { // Foreign folders may not be readable.
      for (var job : uuids(root.resolve(tenant))) {
        visitor.job(TenantId.of(tenant), JobId.of(job));
      }
    }
  }

  private static List<String> uuids(Path folder) throws IOException {
    return names(folder).stream().filter(FolderStore::isUuid).toList();
  }

  private static boolean isUuid(String name) {
    try {
      return UUID.fromString(name).toString().equals(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  // Each snapshot is deleted atomically: if this method is interrupted, no reader finds part of
  // one.
  @Override
  public void deleteAll(TenantId tenant, JobId job) throws IOException, InterruptedException {
    for (var key : kept(tenant, job)) {
      delete(key);
    }
    deleteLeftOver(tenant, job);
    try {
      Files.deleteIfExists(folder(tenant, job));
    } catch (DirectoryNotEmptyException e) {
      return; // An attempt unaware of the removal is saving; the next visit sees the job again.
    }
  }

  @Override
  public void deleteLeftOver(TenantId tenant, JobId job) throws IOException, InterruptedException {
    LockedFolder.deleteLeftOver(folder(tenant, job), HALF, _ -> {});
  }

  private Path folder(TenantId tenant, JobId job) {
    return root.resolve(tenant.toString()).resolve(job.toString());
  }

  private Path folder(SnapshotKey key) {
    return folder(key.tenant(), key.job());
  }

  private Path place(SnapshotKey key) {
    return folder(key).resolve(key.name());
  }
}
