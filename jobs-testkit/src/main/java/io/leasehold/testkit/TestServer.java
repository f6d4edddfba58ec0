package io.leasehold.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * A PostgreSQL server that tests run on.
 *
 * @param kind a description of where the server comes from
 * @param prefix the part of a JDBC URL before the database
 * @param database the database to connect to for creating others
 * @param parameters the part after the database, empty or starting with "?"
 * @param user an administrator
 * @param password the administrator's password
 * @param stop stops a server that was started for this run
 */
record TestServer(
    String kind,
    String prefix,
    String database,
    String parameters,
    String user,
    String password,
    Runnable stop) {

  private static final Pattern URL =
      Pattern.compile("(jdbc:postgresql://[^/?]+/)([^?]+)(\\?.*)?", Pattern.CASE_INSENSITIVE);

  static TestServer at(String kind, String jdbcUrl, String user, String password, Runnable stop) {
    var parts = URL.matcher(jdbcUrl);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "the test server's URL must be jdbc:postgresql://host:port/database, not " + jdbcUrl);
    }
    var parameters = parts.group(3) == null ? "" : parts.group(3);
    return new TestServer(kind, parts.group(1), parts.group(2), parameters, user, password, stop);
  }

  String jdbcUrl(String databaseName) {
    return prefix + databaseName + parameters;
  }

  Connection connect(String databaseName) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(databaseName), user, password);
  }

  @Override
  public String toString() {
    return kind + " at " + prefix;
  }
}
