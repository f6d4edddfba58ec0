package io.leasehold.migrations;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Fails a migration that leaves something unprotected. The check runs in the migration's own
 * transaction, so that nothing of the migration remains.
 */
final class RefuseUnprotected extends BaseCallback {

  // Objects of other owners in this database are left to the start-up verification.
  private static final String FINDINGS =
      """
      SELECT object, problem, remedy FROM leasehold.finding JOIN pg_roles ON pg_roles.oid = owner
      WHERE rolname IN ('leasehold_owner', 'leasehold_engine') ORDER BY object, problem, remedy
      """;

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.AFTER_EACH_MIGRATE;
  }

  @Override
  public void handle(Event event, Context context) {
    var migration = context.getMigrationInfo().getScript();
    refuse("migration " + migration + " is refused, because of", context.getConnection());
  }

  /** Checks everything that was ever migrated, and so finds protection that was removed by hand. */
  void in(DataSource database) throws SQLException {
    try (var connection = database.getConnection()) {
      refuse("the database breaks its own rules:", connection);
    }
  }

  private static void refuse(String message, Connection connection) {
    try {
      var findings = findings(connection);
      if (!findings.isEmpty()) {
        throw new MigrationException(
            findings.stream().collect(joining("\n  ", message + "\n  ", "")));
      }
    } catch (SQLException e) {
      throw new MigrationException("cannot check what was migrated: " + e.getMessage(), e);
    }
  }

  private static List<String> findings(Connection connection) throws SQLException {
    var findings = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(FINDINGS)) {
      while (rows.next()) {
        findings.add(
            "%s: %s; mend it with: %s"
                .formatted(rows.getString(1), rows.getString(2), rows.getString(3)));
      }
    }
    return findings;
  }
}
