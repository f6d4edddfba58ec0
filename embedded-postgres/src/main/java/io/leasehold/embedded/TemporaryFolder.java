package io.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for the data of a test server, in memory if the system has room for it.
 *
 * <p>Each test class gets a database, for which hundreds of files are created and deleted. After
 * many deletions, some file systems (ext4) take longer and longer to find a place for a new file.
 *
 * @param path the folder
 */
record TemporaryFolder(Path path) {

  private static final Logger log = LoggerFactory.getLogger(TemporaryFolder.class);
  private static final String PREFIX = "leasehold-embedded-server-";
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 2L << 30;

  /** A younger folder may belong to another process that has yet to lock it. */
  private static final Duration SURELY_LOCKED = Duration.ofMinutes(1);

  static TemporaryFolder create() {
    try {
      var parent = hasRoom(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
      var created = Files.createTempDirectory(parent, PREFIX).toAbsolutePath();
      sweep(created, parent);
      return new TemporaryFolder(created);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for a temporary PostgreSQL", e);
    }
  }

  private static boolean hasRoom(Path parent) throws IOException {
    return Files.isWritable(parent) && Files.getFileStore(parent).getUsableSpace() >= ROOM;
  }

  private static void sweep(Path created, Path parent) {
    try {
      olderThan(created, parent).forEach(TemporaryFolder::deleteIfAbandoned);
    } catch (IOException | UncheckedIOException e) {
      log.warn("cannot look for abandoned servers in {}: {}", parent, e.toString());
    }
  }

  private static List<Path> olderThan(Path created, Path parent) throws IOException {
    var before = Files.getLastModifiedTime(created).toInstant().minus(SURELY_LOCKED);
    try (var entries = Files.list(parent)) {
      return entries
          .filter(it -> it.getFileName().toString().startsWith(PREFIX))
          .filter(TemporaryFolder::isOurs)
          .filter(it -> isOlder(it, before))
          .toList();
    }
  }

  /** In a shared folder, any user may use such a name. */
  private static boolean isOurs(Path entry) {
    return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
        && Files.exists(entry.resolve("lock"))
        && Files.exists(entry.resolve("password"));
  }

  private static boolean isOlder(Path entry, Instant before) {
    try {
      return Files.isWritable(entry)
          && Files.getLastModifiedTime(entry).toInstant().isBefore(before);
    } catch (IOException e) {
      return false; // Another process has just deleted it.
    }
  }

  /**
   * Deletes a folder that no process uses. Leftovers of an earlier run must never make a test fail.
   */
  private static void deleteIfAbandoned(Path folder) {
    try {
      var lock = ClusterLock.ifFree(folder);
      if (lock.isEmpty()) {
        return; // Another process still uses it.
      }
      try (var _ = lock.get()) {
        Postmaster.in(Cluster.dataIn(folder)).ifPresent(Postmaster::stop);
        deleteDataFirst(folder);
      }
    } catch (IOException | RuntimeException e) {
      log.warn("cannot delete the abandoned {}: {}", folder, e.toString());
    }
  }

  /** Deletes as much as possible; the next temporary server's start tries again. */
  void delete() {
    try {
      deleteDataFirst(path);
    } catch (IOException | UncheckedIOException e) {
      log.warn("cannot delete {}: {}", path, e.toString());
    }
  }

  /**
   * The files that identify the folder as ours go last, so that a partly deleted folder is found
   * again.
   */
  private static void deleteDataFirst(Path folder) throws IOException {
    var data = Cluster.dataIn(folder);
    if (Files.exists(data)) {
      delete(data);
    }
    delete(folder);
  }

  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
