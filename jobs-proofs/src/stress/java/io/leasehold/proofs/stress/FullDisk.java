package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk of a few hundred megabytes that has all of a server, its log of writes too, and is filled.
 * A server that ends for want of room is started again, as a supervisor does.
 */
final class FullDisk implements Fault {

  private static final String SIZE = "400m";
  private static final int CHUNK = 64 * 1024;

  private final Path folder;
  private final StressServer server;
  private final ServerProcess process;
  private final Thread supervisor;
  private volatile boolean full;
  private final AtomicInteger starts = new AtomicInteger();
  private Thread filler = new Thread(() -> {});

  private FullDisk(Path folder, StressServer server) throws IOException {
    this.folder = folder;
    this.server = server;
    this.process = new ServerProcess(server.folder());
    this.supervisor = Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);
  }

  /** Whether this process may mount disks. */
  static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Mounts a disk, and starts a server on it. */
  static FullDisk mount() throws IOException, SQLException {
    var folder = Files.createTempDirectory("leasehold-disk-");
    run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", folder.toString());
    var data = Files.createDirectory(folder.resolve("data"));
    return new FullDisk(
        folder, StressServer.in(data, Map.of("max_wal_size", "64MB", "min_wal_size", "32MB")));
  }

  private static void run(String... command) throws IOException {
    if (new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue() != 0) {
      throw new IOException("%s failed".formatted(String.join(" ", command)));
    }
  }

  StressServer server() {
    return server;
  }

  /** How often the server was started again. */
  int starts() {
    return starts.get();
  }

  @Override
  public String jdbcUrl() {
    return server.jdbcUrl();
  }

  @Override
  public String refusal() {
    return "No space left on device";
  }

  @Override
  public void strike() {
    full = true;
    filler = Thread.ofPlatform().daemon().name("filler").start(this::fill);
  }

  // What the server frees meanwhile is taken as well.
  private void fill() {
    var chunk = new byte[CHUNK];
    while (full) {
      try (var out =
          Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        while (full) {
          out.write(chunk);
        }
      } catch (IOException e) {
        LockSupport.parkNanos(5_000_000); // The disk is full.
      }
    }
  }

  private Path ballast() {
    return folder.resolve("ballast");
  }

  @Override
  public void mend() throws IOException {
    full = false;
    end(filler);
    Files.deleteIfExists(ballast());
  }

  private static void end(Thread thread) {
    while (thread.isAlive()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private void supervise() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(200_000_000);
      if (!process.isAlive() && !Thread.currentThread().isInterrupted()) {
        try {
          process.start();
          starts.incrementAndGet();
        } catch (IOException e) {
          System.out.println("  the server cannot be started: " + e.getMessage());
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    mend();
    supervisor.interrupt();
    end(supervisor);
    process.stop();
    server.close();
    run("umount", folder.toString());
    Files.delete(folder);
  }
}
