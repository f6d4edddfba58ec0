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

/** Says that the process that uses a folder lives: the system takes it away when that ends. */
final class FolderLock implements AutoCloseable {

  /**
   * What this process holds. Asked before a lock's file is opened: to close it would give the lock
   * away.
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

  /** Takes a lock that nobody can have but who looks for what is left over, for a moment. */
  static FolderLock take(Path file) throws IOException {
    var deadline = System.nanoTime() + MOMENT.toNanos();
    while (System.nanoTime() - deadline < 0) {
      var lock = tryTake(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock.isPresent()) {
        return lock.get();
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    throw new IOException("somebody else uses " + file);
  }

  /** Takes the lock of a process that is gone. */
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

  // Whoever had it before may have deleted the file: then the lock is one of nothing.
  private static Optional<FolderLock> locked(Path file, OpenOption... options) throws IOException {
    var channel = FileChannel.open(file, options);
    if (channel.tryLock() != null && Files.exists(file)) {
      return Optional.of(new FolderLock(file, channel));
    }
    channel.close();
    return Optional.empty();
  }

  /** Gives it up: what it stood for is still there, for others to see to. */
  void giveUp() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }

  /** Gives it back: nothing is left of what it stood for. */
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
