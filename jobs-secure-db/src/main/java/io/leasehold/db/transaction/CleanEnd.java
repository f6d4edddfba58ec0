package io.leasehold.db.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Ends a transaction and, in the same round trip, leaves its connection as if it were new.
 *
 * <p>A module's own function (declared, a trigger's, a default's) can leave behind what outlives
 * its transaction: a setting, a temporary table, an open cursor, a subscription, an advisory lock
 * that everybody waits for. The driver's prepared statements stay, which DISCARD ALL would drop. It
 * costs the server some ten microseconds, and nobody a round trip.
 */
enum CleanEnd {
  COMMIT,
  ROLLBACK;

  // The commands of a session, which jOOQ has no words for. Settings come first: one of them
  // may be a limit that the others would run into. "RESET ALL" leaves the role as it is.
  private static final String CLEANING =
      "; RESET ALL; CLOSE ALL; UNLISTEN *; DISCARD TEMP; DISCARD SEQUENCES; SELECT"
          + " pg_catalog.pg_advisory_unlock_all(), pg_catalog.set_config('role', 'none', false)";

  void of(Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement(name() + CLEANING)) {
      statement.execute();
    }
  }
}
