package io.leasehold.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * A PostgreSQL server that tests run on.
 *
 * @param kind how it was come by, for people
 * @param prefix what stands before the database in a JDBC URL
 * @param database the one to connect to for making others
 * @param parameters what stands after the database, empty or from "?" on
 * @param user an administrator
 * @param password the administrator's
 * @param stop ends a server that was started for this run
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
