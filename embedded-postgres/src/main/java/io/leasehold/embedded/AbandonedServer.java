package io.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server whose parent was killed: it still holds the folder, and nobody would ever stop it. */
record AbandonedServer(ProcessHandle process) {

  private static final Logger log = LoggerFactory.getLogger(AbandonedServer.class);
  private static final int STOP_LIMIT_SECONDS = 10;

  static Optional<AbandonedServer> in(Path cluster) throws IOException {
    var pidFile = cluster.resolve("postmaster.pid");
    if (!Files.exists(pidFile)) {
      return Optional.empty();
    }
    var pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
    return ProcessHandle.of(pid).filter(AbandonedServer::isPostgres).map(AbandonedServer::new);
  }

  // The file outlives a crash of the machine, and its process id may be another program's by now.
  private static boolean isPostgres(ProcessHandle process) {
    return process.info().command().filter(it -> it.endsWith("/postgres")).isPresent();
  }

  void stop() {
    log.info("stopping the server {} that a killed process left behind", process.pid());
    process.destroy();
    if (!ended()) {
      process.destroyForcibly(); // Its log is replayed at the next start.
      ended();
    }
  }

  private boolean ended() {
    try {
      process.onExit().get(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
