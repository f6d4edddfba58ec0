package io.leasehold.migrations;

import io.leasehold.embedded.EmbeddedServer;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server of a test class's own, on which no role was ever made. */
final class TestServer implements AfterAllCallback {

  static final String PASSWORD = "secret";

  private static final String TAKE_PARAMETER_BACK =
      """
      DO $$ BEGIN
        IF to_regrole('leasehold_owner') IS NOT NULL THEN
          REVOKE ALL ON PARAMETER backtrace_functions FROM leasehold_owner;
        END IF;
      END $$
      """;

  private final EmbeddedServer server = EmbeddedServer.temporary(Map.of());

  @Override
  public void afterAll(ExtensionContext context) {
    server.close();
  }

  /** Opens a session of the superuser. */
  Session administrator(String name) throws SQLException {
    return Session.of(administratorOf(name));
  }

  MigrationConfig administratorOf(String name) {
    return new MigrationConfig(
        server.jdbcUrl(name), EmbeddedServer.SUPERUSER, server.password(), Map.of());
  }

  MigrationConfig userOf(String name, String user) {
    return new MigrationConfig(server.jdbcUrl(name), user, PASSWORD, Map.of());
  }

  void makeDatabase(String name) throws SQLException {
    try (var session = administrator("postgres")) {
      session.run("CREATE DATABASE " + name);
    }
  }

  /** Drops a database, and then the roles: the next test finds a server as new. */
  void drop(String name) throws SQLException {
    try (var session = administrator("postgres")) {
      session.run("DROP DATABASE " + name + " WITH (FORCE)");
      session.run(TAKE_PARAMETER_BACK);
      session.run("DROP ROLE IF EXISTS leasehold_owner, leasehold_tenant, leasehold_engine");
    }
  }
}
