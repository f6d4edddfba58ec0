package io.leasehold.rest;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PgBouncer in transaction mode before a server.
 *
 * @param process it
 * @param port where it listens
 */
record Pooler(Process process, int port) implements AutoCloseable {

  /** Where Debian's package, or another, has put the program; nothing if it is not installed. */
  static Optional<Path> program() {
    return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Pooler before(EmbeddedServer server, Path folder) throws IOException {
    var port = freePort();
    var users = write(folder.resolve("users"), users(server));
    var settings = write(folder.resolve("pgbouncer.ini"), settings(server, port, users));
    Files.setPosixFilePermissions(folder, fromString("rwxr-xr-x"));
    var command = new ArrayList<>(List.of(program().orElseThrow().toString()));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody")); // It refuses to run as root.
    }
    command.add(settings.toString());
    var log = Redirect.to(folder.resolve("pgbouncer.log").toFile());
    var process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    await().atMost(Duration.ofSeconds(10)).until(() -> answers(port));
    return new Pooler(process, port);
  }

  String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }

  private static String settings(EmbeddedServer server, int port, Path users) {
    return """
    [databases]
    * = host=127.0.0.1 port=%d
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = %d
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = %s
    pool_mode = transaction
    ignore_startup_parameters = extra_float_digits
    """
        .formatted(server.port(), port, users);
  }

  private static String users(EmbeddedServer server) {
    return """
    "leasehold_tenant" "%1$s"
    "leasehold_engine" "%1$s"
    "%2$s" "%3$s"
    """
        .formatted(DoctorsDatabase.PASSWORD, EmbeddedServer.SUPERUSER, server.password());
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
