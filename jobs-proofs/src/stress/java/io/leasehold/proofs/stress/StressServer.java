package io.leasehold.proofs.stress;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A real server that can be killed and comes back at the same address. */
final class StressServer implements AutoCloseable {

  static final String PASSWORD = "stress";
  private static final String DATABASE = "postgres";

  private final Path folder;
  private final Relay relay;
  private Running server;

  private StressServer(Path folder, Relay relay, Running server) {
    this.folder = folder;
    this.relay = relay;
    this.server = server;
  }

  /** Where a server runs, with the superuser's password, and how it is stopped. */
  private record Running(int port, String password, AutoCloseable process) {

    static Running of(EmbeddedServer server) {
      return new Running(server.port(), server.password(), server);
    }

    String jdbcUrl() {
      return "jdbc:postgresql://localhost:%d/%s".formatted(port, DATABASE);
    }

    void stop() {
      try {
        process.close();
      } catch (Exception e) { // As AutoCloseable has it.
        throw new IllegalStateException("the server does not stop", e);
      }
    }
  }

  /** A new one, migrated, with the table of effects. */
  static StressServer start() throws IOException, SQLException {
    return in(Files.createTempDirectory("leasehold-stress-"), Map.of());
  }

  /** A new one in a folder, with some settings of its own. */
  static StressServer in(Path folder, Map<String, String> settings)
      throws IOException, SQLException {
    return migrated(folder, open(folder, settings));
  }

  /** The same of a server that Debian packages, which runs in the folder already. */
  static StressServer of(PackagedServer server, Path folder) throws IOException, SQLException {
    return migrated(folder, new Running(server.port(), PASSWORD, server));
  }

  private static StressServer migrated(Path folder, Running server)
      throws IOException, SQLException {
    var relay = new Relay();
    var started = new StressServer(folder, relay, server);
    relay.to(server.port());
    var passwords =
        Map.of(
            "leasehold_owner", PASSWORD,
            "leasehold_tenant", PASSWORD,
            "leasehold_engine", PASSWORD);
    new Migrator(
            new MigrationConfig(
                server.jdbcUrl(), EmbeddedServer.SUPERUSER, server.password(), passwords))
        .migrate();
    started.run("effects.sql");
    if (!Boolean.getBoolean("leasehold.fenced")) {
      started.run("unfenced.sql");
    }
    return started;
  }

  private static Running open(Path folder, Map<String, String> settings) {
    var all = new HashMap<>(Map.of("shared_buffers", "256MB", "max_connections", "500"));
    all.putAll(settings);
    return Running.of(EmbeddedServer.in(folder, all));
  }

  /** Where its data and its log are. */
  Path folder() {
    return folder;
  }

  /** Runs a script of ours, as the superuser. */
  void run(String script) throws IOException, SQLException {
    try (var in = StressServer.class.getResourceAsStream(script);
        var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Where workers find it. */
  String jdbcUrl() {
    return "jdbc:postgresql://localhost:%d/%s?sslmode=disable&gssEncMode=disable"
        .formatted(relay.port(), DATABASE);
  }

  /** A way to it that can be cut. */
  Relay newRelay() throws IOException {
    var way = new Relay();
    way.to(server.port());
    return way;
  }

  /** Looks at everything, past every policy. */
  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        server.jdbcUrl(), EmbeddedServer.SUPERUSER, server.password());
  }

  /** Kills it as a machine that loses its power does, and starts it again. */
  void crash() throws IOException, InterruptedException {
    var pid = Long.parseLong(Files.readAllLines(pidFile()).getFirst().strip());
    var postmaster = ProcessHandle.of(pid).orElseThrow();
    var backends = postmaster.descendants().toList();
    new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor();
    for (var backend : backends) {
      new ProcessBuilder("kill", "-9", Long.toString(backend.pid())).start().waitFor();
    }
    postmaster.onExit().join();
    server.stop();
    server = open(folder, Map.of());
    relay.to(server.port());
  }

  private Path pidFile() {
    return folder.resolve("cluster").resolve("postmaster.pid");
  }

  @Override
  public void close() throws IOException {
    relay.close();
    server.stop();
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
