package io.leasehold.migrations;

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

  /** Begins a transaction of a tenant that may read several. */
  Session forTenant(String own, String readable) throws SQLException {
    connection.setAutoCommit(false);
    ask("SELECT set_config('app.tenant_id', '%s', true)".formatted(own));
    ask("SELECT set_config('app.readable_tenants', '%s', true)".formatted(readable));
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
