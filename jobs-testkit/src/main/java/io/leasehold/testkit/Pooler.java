package io.leasehold.testkit;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A PgBouncer in transaction mode in front of a server.
 *
 * @param process the process of the pooler
 * @param port the port on which it listens
 */
public record Pooler(Process process, int port) implements AutoCloseable {

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /**
   * Returns the path of the program, as installed by Debian's package or another; empty if it is
   * not installed.
   */
  public static Optional<Path> program() {
    return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts a pooler in front of the server of a JDBC URL.
   *
   * @param users the users who may log in, with their passwords
   * @param folder the folder for its settings; an unprivileged user must be able to read it
   */
  public static Pooler before(String jdbcUrl, Map<String, String> users, Path folder)
      throws IOException {
    var server = URI.create(jdbcUrl.substring("jdbc:".length()));
    var port = freePort();
    var known = write(folder.resolve("users"), inWords(users));
    var settings = write(folder.resolve("pgbouncer.ini"), settings(server, port, known));
    Files.setPosixFilePermissions(folder, fromString("rwxr-xr-x"));
    var command = new ArrayList<>(List.of(program().orElseThrow().toString()));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody")); // It refuses to run as root.
    }
    command.add(settings.toString());
    var log = Redirect.to(folder.resolve("pgbouncer.log").toFile());
    var process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    awaitAnswer(port);
    return new Pooler(process, port);
  }

  /** Returns the URL of a database of the server, through this pooler. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }

  private static String settings(URI server, int port, Path users) {
    return """
    [databases]
    * = host=%s port=%d
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = %d
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = %s
    pool_mode = transaction
    ignore_startup_parameters = extra_float_digits
    """
        .formatted(server.getHost(), server.getPort(), port, users);
  }

  private static String inWords(Map<String, String> users) {
    return users.entrySet().stream()
        .map(user -> "\"%s\" \"%s\"\n".formatted(user.getKey(), user.getValue()))
        .collect(Collectors.joining());
  }

  private static Path write(Path file, String text) throws IOException {
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, fromString("rw-r--r--"));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void awaitAnswer(int port) {
    var deadline = System.nanoTime() + ANSWERS_WITHIN.toNanos();
    while (!answers(port)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the pooler did not answer within " + ANSWERS_WITHIN);
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private static boolean answers(int port) {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
