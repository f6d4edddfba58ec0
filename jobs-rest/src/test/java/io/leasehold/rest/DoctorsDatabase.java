package io.leasehold.rest;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import io.leasehold.testkit.Pooler;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A migrated database, to be spoiled.
 *
 * @param server where it is
 * @param name its own
 */
record DoctorsDatabase(EmbeddedServer server, String name) implements AutoCloseable {

  static final String PASSWORD = "secret";

  private static final AtomicInteger COUNT = new AtomicInteger();

  static DoctorsDatabase in(EmbeddedServer server) {
    var database = new DoctorsDatabase(server, "patient_" + COUNT.incrementAndGet());
    server.ensureDatabase(database.name);
    database.migrator().migrate();
    return database;
  }

  /** A copy of this database, which is much faster to make. It must have no connections. */
  DoctorsDatabase copy() throws SQLException {
    var copy = new DoctorsDatabase(server, "patient_" + COUNT.incrementAndGet());
    new DoctorsDatabase(server, "postgres")
        .spoil("CREATE DATABASE %s TEMPLATE %s".formatted(copy.name, name));
    copy.migrator().provision();
    return copy;
  }

  private Migrator migrator() {
    var passwords = Map.of("leasehold_tenant", PASSWORD, "leasehold_engine", PASSWORD);
    return new Migrator(
        new MigrationConfig(jdbcUrl(), EmbeddedServer.SUPERUSER, server.password(), passwords));
  }

  /** How the program is told of a database. */
  static Map<String, String> environment(String jdbcUrl, Map<String, String> others) {
    var environment =
        new HashMap<>(
            Map.of(
                "LEASEHOLD_JDBC_URL", jdbcUrl,
                "LEASEHOLD_TENANT_PASSWORD", PASSWORD,
                "LEASEHOLD_ENGINE_PASSWORD", PASSWORD));
    environment.putAll(others);
    return environment;
  }

  String jdbcUrl() {
    return server.jdbcUrl(name);
  }

  /** A pooler before the server, which knows the platform's roles and the superuser. */
  Pooler pooler(Path folder) throws IOException {
    return Pooler.before(
        jdbcUrl(),
        Map.of(
            "leasehold_tenant",
            PASSWORD,
            "leasehold_engine",
            PASSWORD,
            EmbeddedServer.SUPERUSER,
            server.password()),
        folder);
  }

  /** Runs statements as the superuser. */
  void spoil(String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(jdbcUrl(), EmbeddedServer.SUPERUSER, server.password());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    new DoctorsDatabase(server, "postgres").spoil("DROP DATABASE %s WITH (FORCE)".formatted(name));
  }
}
