package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that is this process's own until it is closed, or the process ends: then it is found as
 * left over. Nobody else may enter it.
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
   * Makes one.
   *
   * @param root absolute; made for this user alone if it is not there
   * @param name unlike any other in it
   */
  public static LockedFolder make(Path root, String name) throws IOException {
    Files.createDirectories(root, ours());
    // First: a folder without a lock would be nobody's.
    var lock = FolderLock.take(root.resolve(name + LOCK));
    var path = root.resolve(name);
    DeleteFolder.delete(path);
    Files.createDirectory(path, ours());
    return new LockedFolder(path, lock);
  }

  /** What has to be done before a folder can be deleted. */
  @FunctionalInterface
  public interface Before {

    /** Ends whatever still uses it. */
    void end(Path folder) throws IOException, InterruptedException;
  }

  /**
   * Deletes those whose processes are gone. What cannot be deleted stands in nobody's way, and is
   * left to whoever looks next.
   *
   * @param beginning of their names
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

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Makes a folder in it, that nobody else may enter either. */
  public Path inside(String name) throws IOException {
    return Files.createDirectory(path.resolve(name), ours());
  }

  private static FileAttribute<?> ours() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  /** Leaves it to whoever looks for what is left over: something may still use it. */
  public void leave() throws IOException {
    lock.giveUp();
  }

  /** Deletes the folder, which nothing uses any more. What cannot be deleted is left over. */
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
