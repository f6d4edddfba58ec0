package io.leasehold.embedded;

import java.sql.DriverManager;
import java.sql.SQLException;

/** Asks a server something as its superuser. */
record Sql(EmbeddedServer server) {

  void execute(String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                server.jdbcUrl("postgres"), EmbeddedServer.SUPERUSER, server.password());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String answer(String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                server.jdbcUrl("postgres"), EmbeddedServer.SUPERUSER, server.password());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
