package io.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits a data folder to one process; the operating system releases the lock when that process
 * dies.
 */
final class ClusterLock implements AutoCloseable {

  /**
   * The folders that this process holds. They are checked before the lock file is opened: POSIX
   * drops all of a process's locks on a file as soon as the process closes that file once.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;

  private ClusterLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  static ClusterLock of(Path folder) {
    return ifFree(folder)
        .orElseThrow(() -> new IllegalStateException("another process runs a server in " + folder));
  }

  static Optional<ClusterLock> ifFree(Path folder) {
    try {
      var real = OwnerOnly.folder(folder).toRealPath();
      return HELD.add(real) ? heldOrReleased(real) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use the folder " + folder, e);
    }
  }

  private static Optional<ClusterLock> heldOrReleased(Path real) throws IOException {
    var lock = Optional.<ClusterLock>empty();
    try {
      lock = lock(real);
      return lock;
    } finally {
      if (lock.isEmpty()) {
        HELD.remove(real);
      }
    }
  }

  private static Optional<ClusterLock> lock(Path real) throws IOException {
    var channel = FileChannel.open(OwnerOnly.file(real.resolve("lock")), StandardOpenOption.WRITE);
    if (channel.tryLock() != null) {
      return Optional.of(new ClusterLock(real, channel));
    }
    channel.close();
    return Optional.empty();
  }

  /**
   * Releases the folder. Repeated calls do nothing, since another process may hold the folder by
   * then.
   */
  @Override
  public synchronized void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot free the folder " + folder, e);
    } finally {
      HELD.remove(folder);
    }
  }
}
