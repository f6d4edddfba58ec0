package io.leasehold.bench.limit;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction that sees the database as it was: as long as it lasts, no dead row goes away. */
public final class OpenSnapshot implements AutoCloseable {

  private final Connection connection;

  private OpenSnapshot(Connection connection) {
    this.connection = connection;
  }

  /** Takes one, and holds it until closed. */
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
   * Requires that it is still held.
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
