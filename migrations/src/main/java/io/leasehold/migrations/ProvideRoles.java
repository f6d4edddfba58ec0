package io.leasehold.migrations;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the roles, and grants and revokes the rights that no migration can. If the user may not
 * do so, it lists the statements for an administrator.
 */
final class ProvideRoles {

  private static final Logger log = LoggerFactory.getLogger(ProvideRoles.class);
  private static final String MISSING = resource("missing.sql");

  // Roles belong to the whole server, but the lock only to one database. A migration of another
  // database may create the same role at the same moment (42710, 23505) or change it (XX000, which
  // says "concurrently updated", and 40P01).
  private static final Set<String> COLLISIONS = Set.of("42710", "23505", "XX000", "40P01");
  private static final int ATTEMPTS = 10;
  private static final String NOT_ALLOWED = "42501";

  private final MigrationConfig config;

  ProvideRoles(MigrationConfig config) {
    this.config = config;
  }

  /** A missing right or role, and the statement that provides it. */
  private record Missing(String what, String statement) {}

  /** Leaves the connection as it was: outside a transaction. */
  void in(Connection connection) throws SQLException {
    for (var attempt = 1; ; attempt++) {
      try {
        provide(connection);
        setPasswords(connection);
        return;
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !COLLISIONS.contains(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  private void provide(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      var missing = missing(connection);
      if (!missing.isEmpty()) {
        runOrReport(missing, connection);
      }
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException | RuntimeException e) {
      undo(connection, e);
      throw e;
    }
  }

  // If the connection is broken, the rollback fails too; the original error is the one to report.
  private static void undo(Connection connection, Exception cause) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  // The server only warns about a REVOKE without effect, so the rights are checked again.
  private void runOrReport(List<Missing> missing, Connection connection) throws SQLException {
    if (!tryAll(missing, connection) || !missing(connection).isEmpty()) {
      throw new MigrationException(report(missing));
    }
  }

  private static List<Missing> missing(Connection connection) throws SQLException {
    var missing = new ArrayList<Missing>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(MISSING)) {
      while (rows.next()) {
        missing.add(new Missing(rows.getString("what"), rows.getString("statement")));
      }
    }
    return missing;
  }

  private static boolean tryAll(List<Missing> missing, Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var one : missing) {
        statement.execute(one.statement());
      }
      return true;
    } catch (SQLException e) {
      if (!NOT_ALLOWED.equals(e.getSQLState())) {
        throw e;
      }
      connection.rollback();
      return false;
    }
  }

  private String report(List<Missing> missing) {
    return missing.stream()
        .map(one -> one.statement() + "; -- " + one.what())
        .collect(
            joining(
                "\n  ",
                "%s may not set up %s; an administrator has to run there:\n  "
                    .formatted(config.user(), config.database()),
                "\nand to give each new role a password"));
  }

  private void setPasswords(Connection connection) throws SQLException {
    for (var role : config.passwords().entrySet()) {
      setPassword(connection, role);
    }
  }

  /** The password is hashed here, so the server's log never contains it. */
  private static void setPassword(Connection connection, Map.Entry<String, String> role)
      throws SQLException {
    try {
      connection
          .unwrap(PGConnection.class)
          .alterUserPassword(role.getKey(), role.getValue().toCharArray(), "scram-sha-256");
    } catch (SQLException e) {
      if (!NOT_ALLOWED.equals(e.getSQLState())) {
        throw e;
      }
      log.info("the password of {} is an administrator's to set; it stays as it is", role.getKey());
    }
  }

  private static String resource(String name) {
    try (var in = Objects.requireNonNull(ProvideRoles.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
