package io.leasehold.migrations;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to the database of a configuration. */
final class Connections {

  private static final Logger log = LoggerFactory.getLogger(Connections.class);
  private static final int OLDEST_SERVER = 15;

  private final MigrationConfig config;

  Connections(MigrationConfig config) {
    this.config = config;
  }

  /** Opens a connection as the configured user. */
  Connection open() {
    try {
      var connection =
          DriverManager.getConnection(config.jdbcUrl(), config.user(), config.password());
      return examined(connection);
    } catch (SQLException e) {
      throw new MigrationException(explain(e), e);
    }
  }

  // A connection that is refused or cannot be checked is closed again.
  private Connection examined(Connection connection) throws SQLException {
    var isFit = false;
    try {
      refuseOldServer(connection);
      refusePooler(connection);
      isFit = true;
      return connection;
    } finally {
      if (!isFit) {
        closeQuietly(connection);
      }
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.debug("a refused connection could not be closed", e);
    }
  }

  // Views with security_invoker, which apply the policies of their caller, came with this version.
  private void refuseOldServer(Connection connection) throws SQLException {
    var version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST_SERVER) {
      throw new MigrationException(
          "%s must be PostgreSQL %d or newer, not %d"
              .formatted(config.database(), OLDEST_SERVER, version));
    }
  }

  // At connection time the server reports its process id. A pooler reports an id of its own. Behind
  // a pooler, transactions go to changing server processes, so there is no session to hold a lock
  // in.
  private void refusePooler(Connection connection) throws SQLException {
    var named = connection.unwrap(PGConnection.class).getBackendPID();
    try (var statement = connection.createStatement();
        var served = statement.executeQuery("SELECT pg_backend_pid()")) {
      if (served.next() && served.getInt(1) != named) {
        throw new MigrationException(
            "%s goes through a pooler, and migrations need a session: give the server's own address"
                .formatted(config.database()));
      }
    }
  }

  /** Throws with a clear message if {@link #open} would. */
  void check() {
    try {
      open().close();
    } catch (SQLException e) {
      throw new MigrationException(explain(e), e);
    }
  }

  DataSource asUser() {
    var source = new PGSimpleDataSource();
    source.setUrl(config.jdbcUrl());
    source.setUser(config.user());
    source.setPassword(config.password());
    return source;
  }

  /**
   * Opens connections as the owner.
   *
   * <p>The owner is subject to the policies of its own tables. With {@code row_security} off, a
   * statement fails if the policies would hide rows from it, instead of silently changing none.
   */
  DataSource asOwner() {
    var source = (PGSimpleDataSource) asUser();
    var given = source.getOptions() == null ? "" : source.getOptions() + " ";
    source.setOptions(given + "-c role=leasehold_owner -c row_security=off");
    return source;
  }

  private String explain(SQLException e) {
    var database = config.database();
    return switch (String.valueOf(e.getSQLState())) {
      case "08001", "08004", "08006" -> "cannot reach " + database + ": " + e.getMessage();
      case "28P01" -> "wrong password for " + config.user() + " at " + database;
      case "3D000" -> "there is no database " + database + ": create it first";
      default -> "cannot connect to " + database + " as " + config.user() + ": " + e.getMessage();
    };
  }
}
