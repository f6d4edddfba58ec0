package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Ends a transaction in which code of a module may have run and, in the same round trip, leaves its
 * connection as if it were new.
 *
 * <p>Such code can leave behind what outlives the transaction: a setting, an open cursor, a
 * subscription, an advisory lock that everybody waits for. The driver's prepared statements stay,
 * which DISCARD ALL would drop.
 */
enum CleanEnd {
  COMMIT,
  ROLLBACK;

  private static final String CLEAN = "SELECT leasehold.clean_session()";

  /**
   * Ends the connection's transaction, and looks for statements that SQL prepared: one can stand
   * where the driver keeps one of its own, and would run in the next transaction instead of it.
   *
   * @return whether there are such, so that the connection has to be closed
   * @throws SQLException if it did not end so; a commit that would be a rollback is not sent
   */
  boolean of(Connection connection) throws SQLException {
    refuseFailed(connection);
    // Never prepared on the server, or else it could be replaced as well.
    try (var statement = connection.createStatement()) {
      statement.execute(name() + "; " + CLEAN);
      return isSpoiled(statement);
    }
  }

  private static boolean isSpoiled(Statement ended) throws SQLException {
    ended.getMoreResults();
    try (var rows = ended.getResultSet()) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  // The server would roll back without a word, which the driver notices for a COMMIT alone only.
  private void refuseFailed(Connection connection) throws SQLException {
    if (this == COMMIT
        && connection.unwrap(BaseConnection.class).getTransactionState()
            == TransactionState.FAILED) {
      throw new SQLException(
          "a statement failed earlier in the transaction, so nothing of it can be committed",
          SqlErrors.TRANSACTION_FAILED);
    }
  }
}
