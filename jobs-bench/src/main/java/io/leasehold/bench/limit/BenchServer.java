package io.leasehold.bench.limit;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Map;

/**
 * The server that all contenders share: on disk, as durable as in production, and deleted
 * afterwards.
 *
 * <p>A temporary test server would keep its data in memory, where a commit costs nothing.
 */
public final class BenchServer implements AutoCloseable {

  private static final Map<String, String> SETTINGS =
      Map.of(
          "shared_buffers", "1GB",
          "fsync", "on",
          "synchronous_commit", "on",
          "max_wal_size", "8GB",
          "max_connections", "200");

  private final Path folder;
  private final EmbeddedServer server;

  private BenchServer(Path folder, EmbeddedServer server) {
    this.folder = folder;
    this.server = server;
  }

  /** Starts the server. */
  public static BenchServer start() throws IOException {
    var folder = Files.createTempDirectory("leasehold-bench-");
    var server = new BenchServer(folder, EmbeddedServer.in(folder.resolve("data"), SETTINGS));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-postgres"));
    return server;
  }

  /** Returns the server's settings for the report. */
  public static String settings() {
    return "embedded server on disk, shared_buffers 1GB, fsync and synchronous_commit on,"
        + " max_wal_size 8GB, client on the same machine";
  }

  public String jdbcUrl() {
    return server.jdbcUrl("postgres");
  }

  public String password() {
    return server.password();
  }

  /** Connects as the administrator. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), EmbeddedServer.SUPERUSER, password());
  }

  /** Returns the process id of the postmaster, the parent of all other server processes. */
  long postmaster() {
    try (var lines = Files.lines(folder.resolve("data/cluster/postmaster.pid"))) {
      return Long.parseLong(lines.findFirst().orElseThrow().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs SQL as the administrator. */
  public void execute(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Queries a number as the administrator. */
  public long number(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public synchronized void close() {
    server.close();
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
