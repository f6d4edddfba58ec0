package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that this process owns until it closes the folder, or ends: then the folder is found as
 * left over. No other user can enter it.
 */
public final class LockedFolder implements AutoCloseable {

  private static final String LOCK = ".lock";
  private static final Logger log = LoggerFactory.getLogger(LockedFolder.class);

  private final Path path;
  private final FolderLock lock;

  private LockedFolder(Path path, FolderLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Creates a folder.
   *
   * @param root absolute; created for this user alone if it does not exist
   * @param name unique in the root
   */
  public static LockedFolder make(Path root, String name) throws IOException {
    Files.createDirectories(root, ours());
    // The lock comes first: a folder without a lock would have no owner.
    var lock = FolderLock.take(root.resolve(name + LOCK));
    var path = root.resolve(name);
    DeleteFolder.delete(path);
    Files.createDirectory(path, ours());
    return new LockedFolder(path, lock);
  }

  /** A cleanup that is needed before a folder can be deleted. */
  @FunctionalInterface
  public interface Before {

    /** Ends every process that still uses the folder. */
    void end(Path folder) throws IOException, InterruptedException;
  }

  /**
   * Deletes the folders whose processes are dead. A folder that cannot be deleted does no harm, and
   * is left to the next cleanup.
   *
   * @param beginning the prefix of their names
   */
  public static void deleteLeftOver(Path root, String beginning, Before before)
      throws IOException, InterruptedException {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (var locks = Files.newDirectoryStream(root, beginning + "*" + LOCK)) {
      for (var file : locks) {
        var lock = FolderLock.takeLeftOver(file);
        if (lock.isPresent()) {
          delete(new LockedFolder(folderOf(root, file), lock.get()), before);
        }
      }
    }
  }

  private static Path folderOf(Path root, Path lock) {
    var name = String.valueOf(lock.getFileName());
    return root.resolve(name.substring(0, name.length() - LOCK.length()));
  }

  private static void delete(LockedFolder left, Before before)
      throws IOException, InterruptedException {
    log.info("deleting {}, whose process is gone", left.path);
    var isDeleted = false;
    try {
      before.end(left.path);
      DeleteFolder.delete(left.path);
      isDeleted = true;
    } catch (IOException e) {
      log.warn("cannot delete {} yet", left.path, e);
    } finally {
      if (isDeleted) {
        left.lock.close();
      } else {
        left.lock.giveUp();
      }
    }
  }

  /** The path of the folder. */
  public Path path() {
    return path;
  }

  /** Creates a folder inside, which no other user can enter either. */
  public Path inside(String name) throws IOException {
    return Files.createDirectory(path.resolve(name), ours());
  }

  private static FileAttribute<?> ours() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  /** Leaves the folder to the next cleanup, because a process may still use it. */
  public void leave() throws IOException {
    lock.giveUp();
  }

  /** Deletes the folder, which is no longer used. If it cannot be deleted, it is left over. */
  @Override
  public void close() throws IOException {
    try {
      DeleteFolder.delete(path);
    } catch (IOException e) {
      lock.giveUp();
      throw e;
    }
    lock.close();
  }
}
