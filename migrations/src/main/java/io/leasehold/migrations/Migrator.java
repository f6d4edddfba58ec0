package io.leasehold.migrations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;

/** Brings a database to the schema of this program: roles, tables, functions, policies. */
public final class Migrator {

  private final MigrationConfig config;

  public Migrator(MigrationConfig config) {
    this.config = config;
  }

  /** Migrates. */
  public void migrate() throws SQLException {
    try (var connection =
            DriverManager.getConnection(config.jdbcUrl(), config.user(), config.password());
        var statement = connection.createStatement()) {
      statement.execute(resource("provision.sql"));
      for (var role : config.passwords().entrySet()) {
        setPassword(connection, role.getKey(), role.getValue());
      }
    }
    Flyway.configure()
        .dataSource(config.jdbcUrl(), config.user(), config.password())
        .initSql("SET ROLE leasehold_owner")
        .schemas("leasehold")
        .locations("classpath:io/leasehold/migrations/sql")
        .load()
        .migrate();
  }

  private static void setPassword(Connection connection, String role, String password)
      throws SQLException {
    connection
        .unwrap(PGConnection.class)
        .alterUserPassword(role, password.toCharArray(), "scram-sha-256");
  }

  private static String resource(String name) {
    try (var in = Objects.requireNonNull(Migrator.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
