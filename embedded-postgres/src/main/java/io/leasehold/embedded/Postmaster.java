package io.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server whose parent was killed: it still holds the data, and nobody would ever stop it. */
record Postmaster(ProcessHandle process) {

  private static final Logger log = LoggerFactory.getLogger(Postmaster.class);
  private static final int STOP_LIMIT_SECONDS = 20;

  /**
   * Looks for the server of some data.
   *
   * @param data absolute, as the server was told
   */
  static Optional<Postmaster> in(Path data) throws IOException {
    var pidFile = data.resolve("postmaster.pid");
    if (!Files.exists(pidFile)) {
      return Optional.empty();
    }
    return Files.readAllLines(pidFile).stream()
        .findFirst()
        .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.strip())))
        .filter(process -> runs(process, data))
        .map(Postmaster::new);
  }

  // The file outlives a crash of the machine, and its process id may be another server's by now.
  private static boolean runs(ProcessHandle process, Path data) {
    var info = process.info();
    return info.command().filter(it -> it.endsWith("/postgres")).isPresent()
        && info.arguments().filter(it -> List.of(it).contains(data.toString())).isPresent();
  }

  void stop() {
    log.info("stopping the server {} that a killed process left behind", process.pid());
    var all = Stream.concat(Stream.of(process), process.descendants()).toList();
    interrupt();
    if (!haveEnded(all)) {
      process.destroyForcibly(); // Its log is replayed at the next start.
      haveEnded(all);
    }
  }

  /** Asks for a fast shutdown. The usual signal lets sessions go on, which may be for ever. */
  private void interrupt() {
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
    } catch (IOException e) {
      log.warn("cannot run kill: {}", e.toString());
      process.destroy();
    }
  }

  private static boolean haveEnded(List<ProcessHandle> processes) {
    var ends = processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
