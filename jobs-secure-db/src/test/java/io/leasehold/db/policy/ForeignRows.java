package io.leasehold.db.policy;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The rows that are not a tenant's, in all tables, looked at while its transaction is open. */
record ForeignRows(Connection administrator, String query, long expected) {

  private static final String TABLE_IS_LOCKED = "55P03";

  static ForeignRows of(Connection administrator, List<Relation> tables, String own)
      throws SQLException {
    // A row that the open transaction has changed, deleted or locked is skipped, and so missing.
    var query =
        tables.stream()
            .map(
                table ->
                    "(SELECT count(*) FROM (SELECT FROM %s WHERE tenant_id <> '%s' FOR UPDATE SKIP LOCKED) r)"
                        .formatted(table, own))
            .collect(joining(" + ", "SELECT ", ""));
    try (var statement = administrator.createStatement()) {
      statement.execute("SET lock_timeout = '1s'");
    }
    administrator.setAutoCommit(false);
    return new ForeignRows(administrator, query, count(administrator, query));
  }

  boolean areUntouched() throws SQLException {
    try {
      return count(administrator, query) == expected;
    } catch (SQLException e) {
      if (TABLE_IS_LOCKED.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private static long count(Connection administrator, String query) throws SQLException {
    try (var statement = administrator.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } finally {
      administrator.rollback();
    }
  }
}
