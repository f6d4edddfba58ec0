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
 * Keeps snapshots in a folder that all workers see, as {@code tenant/job/name}.
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
      return List.of(); // It has gone, or is no folder of ours.
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

  // Renamed first: half deleted, it is found by nobody.
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
    for (var tenant : uuids(root)) { // Others' folders may not even be looked into.
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

  // Each as it is deleted alone: if this ends in between, nobody finds a part.
  @Override
  public void deleteAll(TenantId tenant, JobId job) throws IOException, InterruptedException {
    for (var key : kept(tenant, job)) {
      delete(key);
    }
    deleteLeftOver(tenant, job);
    try {
      Files.deleteIfExists(folder(tenant, job));
    } catch (DirectoryNotEmptyException e) {
      return; // Somebody saves, who does not know yet that the job is gone: it is seen again.
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
