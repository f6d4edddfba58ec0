package io.leasehold.db.verify;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.PGConnection;

/** A connection of one role, for checking the database. */
record RoleSession(Connection connection, RoleLogin login) implements AutoCloseable {

  private static final String MISSING_FILE = "58P01";

  static RoleSession open(String url, RoleLogin login, Duration limit) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", login.user());
    properties.setProperty("password", login.password().reveal());
    properties.setProperty("ApplicationName", "leasehold-verify");
    // A pooler may send the next statement to another server process, which never prepared it.
    properties.setProperty("prepareThreshold", "0");
    var seconds = Long.toString(Math.max(1, limit.toSeconds()));
    properties.setProperty("loginTimeout", seconds);
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    return new RoleSession(connect(url, properties), login);
  }

  // A role can configure itself to load a missing library, which prevents its login. A setting sent
  // at the start overrides that. It is sent only in this case, because a pooler accepts no such
  // options.
  private static Connection connect(String url, Properties properties) throws SQLException {
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      if (!MISSING_FILE.equals(e.getSQLState())) {
        throw e;
      }
      properties.setProperty("options", "-c local_preload_libraries=");
      return DriverManager.getConnection(url, properties);
    }
  }

  DSLContext dsl() {
    return DSL.using(connection, SQLDialect.POSTGRES);
  }

  int serverVersion() throws SQLException {
    return connection.getMetaData().getDatabaseMajorVersion();
  }

  String serverVersionText() {
    try {
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      return "of an unknown version";
    }
  }

  /** Returns the server process id that was reported when the connection was opened. */
  int processNamed() throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
