package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Ends a transaction in which a module's code may have run and, in the same round trip, resets its
 * connection as if it were new.
 *
 * <p>Such code can leave state that outlives the transaction: a setting, an open cursor, a
 * subscription, an advisory lock that blocks all others. Unlike DISCARD ALL, this keeps the
 * driver's prepared statements.
 */
enum CleanEnd {
  COMMIT,
  ROLLBACK;

  private static final String CLEAN = "SELECT leasehold.clean_session()";

  /**
   * Ends the connection's transaction, and looks for statements that SQL prepared. Such a statement
   * can replace one of the driver's own, and would then run instead of it in the next transaction.
   *
   * @return whether there are any, so that the connection has to be closed
   * @throws SQLException if the transaction did not end this way; a commit that would be a rollback
   *     is not sent
   */
  boolean of(Connection connection) throws SQLException {
    refuseFailed(connection);
    // Never prepared on the server; otherwise it could be replaced as well.
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

  // The server would roll back silently, and the driver notices that only for a COMMIT sent alone.
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
