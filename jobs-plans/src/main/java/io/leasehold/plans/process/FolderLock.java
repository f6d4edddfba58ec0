package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows that the process that uses a folder is alive: the system releases the lock when it ends.
 */
final class FolderLock implements AutoCloseable {

  /**
   * The locks that this process holds. Checked before a lock file is opened, because closing
   * another channel to the file would release the lock.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final Duration MOMENT = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(1);

  private final Path file;
  private final FileChannel channel;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Takes a lock for which only a cleanup can compete, for a moment. */
  static FolderLock take(Path file) throws IOException {
    var deadline = System.nanoTime() + MOMENT.toNanos();
    while (System.nanoTime() - deadline < 0) {
      var lock = tryTake(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock.isPresent()) {
        return lock.get();
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    throw new IOException("another process uses " + file);
  }

  /** Takes the lock of a dead process. */
  static Optional<FolderLock> takeLeftOver(Path file) throws IOException {
    try {
      return tryTake(file, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Optional<FolderLock> tryTake(Path file, OpenOption... options) throws IOException {
    if (!HELD.add(file)) {
      return Optional.empty();
    }
    var lock = Optional.<FolderLock>empty();
    try {
      lock = locked(file, options);
      return lock;
    } finally {
      if (lock.isEmpty()) {
        HELD.remove(file);
      }
    }
  }

  // The previous holder may have deleted the file: such a lock protects nothing.
  private static Optional<FolderLock> locked(Path file, OpenOption... options) throws IOException {
    var channel = FileChannel.open(file, options);
    if (channel.tryLock() != null && Files.exists(file)) {
      return Optional.of(new FolderLock(file, channel));
    }
    channel.close();
    return Optional.empty();
  }

  /**
   * Releases the lock and keeps the file: the folder still exists, for another process to clean up.
   */
  void giveUp() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }

  /** Releases the lock and deletes the file: nothing is left of the folder. */
  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(file);
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }
}
