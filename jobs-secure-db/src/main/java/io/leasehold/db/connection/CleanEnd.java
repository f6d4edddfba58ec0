package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Ends a transaction and, in the same round trip, leaves its connection as if it were new.
 *
 * <p>A module's own function (declared, a trigger's, a default's) can leave behind what outlives
 * its transaction: a setting, a temporary table, an open cursor, a subscription, an advisory lock
 * that everybody waits for. The driver's prepared statements stay, which DISCARD ALL would drop. It
 * costs no round trip, and is left out where no such code can have run.
 */
enum CleanEnd {
  COMMIT,
  ROLLBACK;

  // The commands of a session, which jOOQ has no words for. Settings come first: one of them
  // may be a limit that the others would run into. "RESET ALL" leaves the role as it is.
  private static final String CLEANING =
      "; RESET ALL; CLOSE ALL; UNLISTEN *; DISCARD TEMP; DISCARD SEQUENCES; SELECT"
          + " pg_catalog.pg_advisory_unlock_all(), pg_catalog.set_config('role', 'none', false)";

  /**
   * Ends the connection's transaction.
   *
   * @throws SQLException if it did not end so; a commit that would be a rollback is not sent
   */
  void of(Connection connection) throws SQLException {
    if (this == COMMIT && hasFailed(connection)) {
      throw new SQLException(
          "a statement failed earlier in the transaction, so nothing of it can be committed",
          SqlErrors.TRANSACTION_FAILED);
    }
    try (var statement = connection.prepareStatement(name() + CLEANING)) {
      statement.execute();
    }
  }

  // The server would roll back without a word, which the driver notices for a COMMIT alone only.
  private static boolean hasFailed(Connection connection) throws SQLException {
    return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
  }
}
