package io.leasehold.migrations;

import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A connection that runs what a test says, and gives back the first column as text. */
record Session(Connection connection) implements AutoCloseable {

  static final String TENANT = "00000000-0000-0000-0000-00000000000a";
  static final String OTHER = "00000000-0000-0000-0000-00000000000b";
  static final String THIRD = "00000000-0000-0000-0000-00000000000c";

  static Session of(MigrationConfig config) throws SQLException {
    return new Session(
        DriverManager.getConnection(config.jdbcUrl(), config.user(), config.password()));
  }

  /**
   * Begins a transaction of a tenant.
   *
   * @param tenants the tenant that may be written, and then others that may be read, with commas
   */
  Session forTenant(TestDatabase database, String tenants) throws SQLException {
    connection.setAutoCommit(false);
    database.enterTenant(connection, tenants);
    return this;
  }

  Session begin() throws SQLException {
    connection.setAutoCommit(false);
    return this;
  }

  int run(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
      return statement.getUpdateCount();
    }
  }

  List<String> ask(String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var values = new ArrayList<String>();
      while (rows.next()) {
        values.add(String.valueOf(rows.getString(1)));
      }
      return values;
    }
  }

  @Override
  public void close() throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    connection.close();
  }
}
