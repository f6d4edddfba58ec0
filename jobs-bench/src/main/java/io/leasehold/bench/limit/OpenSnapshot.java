package io.leasehold.bench.limit;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A transaction with an old snapshot of the database: while it lasts, no dead row can be removed.
 */
public final class OpenSnapshot implements AutoCloseable {

  private final Connection connection;

  private OpenSnapshot(Connection connection) {
    this.connection = connection;
  }

  /** Takes a snapshot and holds it until closed. */
  public static OpenSnapshot held(BenchServer server) {
    try {
      var connection = server.connect();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (var statement = connection.createStatement()) {
        statement.execute("SELECT count(*) FROM pg_class");
      }
      return new OpenSnapshot(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Checks that the snapshot is still held.
   *
   * @throws IllegalStateException if the server has ended it
   */
  public void requireHeld() {
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
