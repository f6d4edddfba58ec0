package io.leasehold.testkit;

import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A migrated database and its copies; closing it drops all of them.
 *
 * <p>Thread-safe. Names are random, so that test runs can share a server.
 */
final class Template implements AutoCloseable {

  private static final Map<String, String> PASSWORDS =
      Map.of(
          "leasehold_owner", TestDatabase.PASSWORD,
          "leasehold_tenant", TestDatabase.PASSWORD,
          "leasehold_engine", TestDatabase.PASSWORD);

  /** Roles belong to the whole server, so only one run at a time creates them. */
  private static final long ROLES_LOCK = 0x6c656173656c6cL;

  private final AtomicInteger copies = new AtomicInteger();
  private final TestServer server;
  private final String name;
  private final Connection connection;

  private Template(TestServer server, String name, Connection connection) {
    this.server = server;
    this.name = name;
    this.connection = connection;
  }

  static Template on(TestServer server) throws SQLException {
    var id = UUID.randomUUID().toString().substring(0, 8);
    var template = new Template(server, "leasehold_test_" + id, server.connect(server.database()));
    try {
      template.migrate();
      return template;
    } catch (SQLException | RuntimeException e) {
      template.closeAfter(e);
      throw e;
    }
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private void migrate() throws SQLException {
    execute("CREATE DATABASE " + name);
    execute("SELECT pg_advisory_lock(" + ROLES_LOCK + ")");
    try {
      migrator(name, PASSWORDS).migrate();
    } finally {
      execute("SELECT pg_advisory_unlock(" + ROLES_LOCK + ")");
    }
  }

  /** Creates a migrated database, and returns its name. */
  synchronized String copy() throws SQLException {
    var copy = create(name);
    migrator(copy, Map.of()).provision(); // Database grants are not copied.
    return copy;
  }

  /** Creates an empty database, and returns its name. */
  synchronized String empty() throws SQLException {
    return create("template0");
  }

  private String create(String template) throws SQLException {
    var copy = name + "_" + copies.incrementAndGet();
    execute("CREATE DATABASE " + copy + " TEMPLATE " + template);
    // If a lock is waited for instead of skipped, the test must fail and not hang.
    execute("ALTER DATABASE " + copy + " SET lock_timeout = '10s'");
    return copy;
  }

  private Migrator migrator(String database, Map<String, String> passwords) {
    return new Migrator(
        new MigrationConfig(server.jdbcUrl(database), server.user(), server.password(), passwords));
  }

  synchronized void drop(String copy) throws SQLException {
    execute("DROP DATABASE IF EXISTS " + copy + " WITH (FORCE)");
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public synchronized void close() throws SQLException {
    try (connection) {
      for (var copy = 1; copy <= copies.get(); copy++) {
        drop(name + "_" + copy);
      }
      drop(name);
    }
  }
}
