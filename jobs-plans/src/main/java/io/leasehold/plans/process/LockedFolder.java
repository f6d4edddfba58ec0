package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder that is this process's own until it is closed, or the process ends: then it is found as
 * left over. Nobody else may enter it.
 */
public final class LockedFolder implements AutoCloseable {

  private static final String LOCK = ".lock";
  private final Path path;
  private final FolderLock lock;

  private LockedFolder(Path path, FolderLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Makes one.
   *
   * @param root absolute; made if it is not there
   * @param name unlike any other in it
   */
  public static LockedFolder make(Path root, String name) throws IOException {
    Files.createDirectories(root);
    // First: a folder without a lock would be nobody's.
    var lock = FolderLock.take(root.resolve(name + LOCK));
    var path = root.resolve(name);
    DeleteFolder.delete(path);
    Files.createDirectory(path, ours());
    return new LockedFolder(path, lock);
  }

  /** Those whose processes are gone, with names that begin like this. They are the caller's now. */
  public static List<LockedFolder> leftOver(Path root, String beginning) throws IOException {
    var all = new ArrayList<LockedFolder>();
    if (!Files.isDirectory(root)) {
      return all;
    }
    try (var locks = Files.newDirectoryStream(root, beginning + "*" + LOCK)) {
      for (var file : locks) {
        var name = String.valueOf(file.getFileName());
        var path = root.resolve(name.substring(0, name.length() - LOCK.length()));
        FolderLock.takeLeftOver(file).ifPresent(lock -> all.add(new LockedFolder(path, lock)));
      }
    }
    return all;
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

  /** Leaves the folder to whoever looks for what is left over. */
  public void giveUp() throws IOException {
    lock.giveUp();
  }
}
