package io.leasehold.proofs.stress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A server that Debian's package brings, on data of its own: unlike the embedded one it compiles
 * statements by LLVM. The package's own cluster is left alone.
 */
final class PackagedServer implements AutoCloseable {

  private static final String SUPERUSER = "postgres";
  private static final Path ROOT = Path.of("/");
  private static final Duration START_MOST = Duration.ofSeconds(60);
  private static final Duration STOP_MOST = Duration.ofSeconds(30);

  private final Path folder;
  private final int port;
  private final Process postmaster;

  private PackagedServer(Path folder, int port, Process postmaster) {
    this.folder = folder;
    this.port = port;
    this.postmaster = postmaster;
  }

  /** Makes data in an empty folder, and starts a server on them with this environment. */
  static PackagedServer in(Path folder, Map<String, String> environment)
      throws IOException, InterruptedException {
    Files.writeString(folder.resolve("password"), StressServer.PASSWORD);
    Files.createDirectory(folder.resolve("data"));
    give(folder);
    run(
        folder,
        Map.of(),
        "initdb",
        "--auth=scram-sha-256",
        "--pwfile=" + folder.resolve("password"),
        "--username=" + SUPERUSER,
        "--locale=C.UTF-8",
        folder.resolve("data").toString());
    var port = freePort();
    var postmaster =
        start(
            folder,
            environment,
            "postgres",
            "-D",
            folder.resolve("data").toString(),
            "-p",
            Integer.toString(port),
            "-c",
            "listen_addresses=localhost",
            "-c",
            "unix_socket_directories=",
            "-c",
            "max_connections=500",
            "-c",
            "shared_buffers=256MB");
    var server = new PackagedServer(folder, port, postmaster);
    server.awaitReady();
    return server;
  }

  private static Path programs() {
    var programs = System.getProperty("leasehold.programs", "");
    if (programs.isEmpty()) {
      throw new IllegalStateException(
          "no PostgreSQL with LLVM found: install Debian's package postgresql-15, and run ./check"
              + " stress");
    }
    return Path.of(programs);
  }

  // The server refuses to run as root. Its environment is set after the change of user, because
  // libfaketime creates files as the user that it starts as.
  private static List<String> command(Map<String, String> environment, String... words) {
    var command = new ArrayList<String>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    command.add("env");
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.add(programs().resolve(words[0]).toString());
    command.addAll(List.of(words).subList(1, words.length));
    return command;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static void give(Path folder) throws IOException, InterruptedException {
    if (isRoot()) {
      end(
          new ProcessBuilder("chown", "-R", "postgres:postgres", folder.toString())
              .inheritIO()
              .start());
    }
  }

  private static Process start(Path folder, Map<String, String> environment, String... words)
      throws IOException {
    return new ProcessBuilder(command(environment, words))
        .directory(ROOT.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile()))
        .start();
  }

  private static void run(Path folder, Map<String, String> environment, String... words)
      throws IOException, InterruptedException {
    end(start(folder, environment, words));
  }

  private static void end(Process process) throws InterruptedException {
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "%s ended with %d".formatted(process.info(), process.exitValue()));
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() {
    var deadline = System.nanoTime() + START_MOST.toNanos();
    while (!answers()) {
      if (System.nanoTime() - deadline > 0 || !postmaster.isAlive()) {
        throw new IllegalStateException(
            "the server does not start, see " + folder.resolve("server.log"));
      }
      LockSupport.parkNanos(50_000_000);
    }
  }

  private boolean answers() {
    try (var connection =
        DriverManager.getConnection(jdbcUrl("postgres"), SUPERUSER, StressServer.PASSWORD)) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false; // It starts.
    }
  }

  int port() {
    return port;
  }

  String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }

  /** How long all its processes have had a processor, also those that are gone. */
  Duration processorTime() {
    var living =
        Stream.concat(Stream.of(postmaster.toHandle()), postmaster.descendants())
            .mapToLong(process -> ProcessorTime.nanosOf(process.pid()))
            .sum();
    return Duration.ofNanos(living + ProcessorTime.nanosOfEndedChildren(postmaster.pid()));
  }

  @Override
  public void close() {
    // A fast shutdown: the usual signal waits for sessions.
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(postmaster.pid())).start().waitFor();
      if (!postmaster.waitFor(STOP_MOST.toSeconds(), TimeUnit.SECONDS)) {
        postmaster.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      postmaster.destroyForcibly();
    } catch (InterruptedException e) {
      postmaster.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
