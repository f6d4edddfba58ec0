package io.leasehold.engine.work.mirrors;

import io.leasehold.engine.maintenance.TestQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session that sees everything, for the many short looks of these tests. */
final class Administrator implements AutoCloseable {

  private final Connection connection;

  Administrator(TestQueue queue) throws SQLException {
    this.connection = queue.asAdministrator();
  }

  /** The first column of a query's rows. */
  List<Object> ask(String sql, @Nullable Object... values) throws SQLException {
    return TestQueue.ask(connection, sql, values);
  }

  /** Runs a statement, in a transaction of its own. */
  void run(String sql, @Nullable Object... values) throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
