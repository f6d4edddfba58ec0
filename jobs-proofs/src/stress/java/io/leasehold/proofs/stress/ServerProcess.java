package io.leasehold.proofs.stress;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A server that is stopped and started again on its data and port, as a supervisor does. */
final class ServerProcess {

  private final Path folder;
  private final List<String> command;
  private ProcessHandle postmaster;

  /** The server that runs on the data in a folder. */
  ServerProcess(Path folder) throws IOException {
    this.folder = folder;
    var pid = Long.parseLong(Files.readAllLines(pidFile()).getFirst().strip());
    this.postmaster = ProcessHandle.of(pid).orElseThrow();
    this.command = new ArrayList<>(List.of("unshare", "-U")); // A server refuses to run as root.
    var words = Files.readString(Path.of("/proc/%d/cmdline".formatted(pid)));
    command.addAll(List.of(words.split("\0")));
  }

  private Path pidFile() {
    return data().resolve("postmaster.pid");
  }

  Path data() {
    return folder.resolve("cluster");
  }

  /** What the server has logged. */
  String log() throws IOException {
    return new String(
        Files.readAllBytes(folder.resolve("server.log")), StandardCharsets.ISO_8859_1);
  }

  boolean isAlive() {
    return postmaster.isAlive();
  }

  /** Ends all sessions and the server. */
  void stop() throws IOException {
    new ProcessBuilder("kill", "-INT", Long.toString(postmaster.pid())).start();
    while (postmaster.isAlive()) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Starts the server again; it may end again at once. */
  void start() throws IOException {
    var log = Redirect.appendTo(folder.resolve("server.log").toFile());
    postmaster =
        new ProcessBuilder(command).redirectOutput(log).redirectError(log).start().toHandle();
  }
}
