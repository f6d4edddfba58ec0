package io.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A folder for the data of a test server, in memory where the system has room for it.
 *
 * <p>Each test class gets a database, which is hundreds of files made and deleted. Some file
 * systems (ext4) search ever longer for a new file's place after many deletions.
 *
 * @param path the folder
 */
record TemporaryFolder(Path path) {

  private static final String PREFIX = "leasehold-";
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 2L << 30;

  /** A younger one may be another process's that has yet to lock it. */
  private static final Duration SURELY_LOCKED = Duration.ofMinutes(1);

  static TemporaryFolder create() {
    try {
      var parent = hasRoom(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
      var created = Files.createTempDirectory(parent, PREFIX).toAbsolutePath();
      for (var old : olderThan(created, parent)) {
        deleteIfAbandoned(old);
      }
      return new TemporaryFolder(created);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for a temporary PostgreSQL", e);
    }
  }

  private static boolean hasRoom(Path parent) throws IOException {
    return Files.isWritable(parent) && Files.getFileStore(parent).getUsableSpace() >= ROOM;
  }

  private static List<Path> olderThan(Path created, Path parent) throws IOException {
    var before = Files.getLastModifiedTime(created).toInstant().minus(SURELY_LOCKED);
    try (var entries = Files.list(parent)) {
      return entries
          .filter(it -> it.getFileName().toString().startsWith(PREFIX))
          .filter(it -> isOlder(it, before))
          .toList();
    }
  }

  private static boolean isOlder(Path entry, Instant before) {
    try {
      return Files.isWritable(entry)
          && Files.getLastModifiedTime(entry).toInstant().isBefore(before);
    } catch (IOException e) {
      return false; // Another process has just deleted it.
    }
  }

  private static void deleteIfAbandoned(Path folder) throws IOException {
    var lock = ClusterLock.ifFree(folder);
    if (lock.isEmpty()) {
      return; // Another process still uses it.
    }
    try (var _ = lock.get()) {
      AbandonedServer.in(Cluster.dataIn(folder)).ifPresent(AbandonedServer::stop);
      delete(folder);
    }
  }

  void delete() {
    try {
      delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
