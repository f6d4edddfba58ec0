package io.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a server, which outlives the process that started it. */
record Postmaster(ProcessHandle process) {

  private static final Logger log = LoggerFactory.getLogger(Postmaster.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  /**
   * Finds the server of some data.
   *
   * @param data the absolute path that the server was given
   * @throws IllegalStateException if the data do not say which process it is
   */
  static Optional<Postmaster> in(Path data) throws IOException {
    return PidFile.in(data)
        .flatMap(file -> ProcessHandle.of(file.pid()))
        .filter(process -> runs(process, data))
        .map(Postmaster::new);
  }

  /** Returns the server that has just been started on some data, and has answered. */
  static Postmaster startedIn(Path data) throws IOException {
    return PidFile.in(data)
        .flatMap(file -> ProcessHandle.of(file.pid()))
        .map(Postmaster::new)
        .orElseThrow(() -> new IllegalStateException("the server ended at once, in " + data));
  }

  // The file outlives a crash of the machine, and its process id may belong to another process by
  // then.
  private static boolean runs(ProcessHandle process, Path data) {
    var info = process.info();
    return info.command().filter(it -> it.endsWith("/postgres")).isPresent()
        && info.arguments().filter(it -> List.of(it).contains(data.toString())).isPresent();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  CompletableFuture<Void> ended() {
    return process.onExit().thenRun(() -> {});
  }

  void stop() {
    log.info("stopping the server {}", process.pid());
    var all = Stream.concat(Stream.of(process), process.descendants()).toList();
    interrupt();
    if (!haveEnded(all)) {
      process.destroyForcibly(); // The next start replays its log.
      haveEnded(all);
    }
  }

  /** Requests a fast shutdown. The usual signal lets sessions continue, possibly forever. */
  private void interrupt() {
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
    } catch (IOException e) {
      log.warn("cannot run kill: {}", e.toString());
      process.destroy();
    }
  }

  private static boolean haveEnded(List<ProcessHandle> processes) {
    var deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    while (!processes.stream().allMatch(Postmaster::hasEnded)) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    return true;
  }

  // An ended process has no command, even if the system has not removed it yet. For a process that
  // is no child, the JDK reports the end considerably later, by a good part of a second.
  private static boolean hasEnded(ProcessHandle process) {
    return !process.isAlive() || process.info().command().isEmpty();
  }
}
