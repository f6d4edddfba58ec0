package io.leasehold.db.transaction;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.concurrent.Future;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A transaction's connection: taken from the pool at the first statement, opened together with it,
 * and given back at the end.
 */
final class Session {

  private final DataSource pool;
  private final Opening opening;
  private final boolean readOnly;
  private final Function<Connection, @Nullable Future<?>> deadline;

  private @Nullable Connection connection;
  private @Nullable Future<?> end;
  private boolean opened;
  private boolean over;

  Session(
      DataSource pool,
      Opening opening,
      boolean readOnly,
      Function<Connection, @Nullable Future<?>> deadline) {
    this.pool = pool;
    this.opening = opening;
    this.readOnly = readOnly;
    this.deadline = deadline;
  }

  /** Prepares a statement; the first one carries the opening with it. */
  PreparedStatement prepare(String sql) throws SQLException {
    var current = connection();
    if (opened) {
      return current.prepareStatement(sql);
    }
    opened = true;
    return PipelinedStatement.of(current.prepareStatement(opening.sql() + sql), opening);
  }

  /** Sends the opening on its own, ahead of what cannot be sent together with it. */
  void open() throws SQLException {
    if (opened) {
      return;
    }
    opened = true;
    try (var statement = connection().prepareStatement(opening.sql())) {
      for (int i = 0; i < opening.values().size(); i++) {
        statement.setString(i + 1, opening.values().get(i));
      }
      statement.execute();
    }
  }

  /** A savepoint that the opening precedes: undone to it, the transaction still has its tenant. */
  Savepoint savepoint() throws SQLException {
    open();
    return connection().setSavepoint();
  }

  void release(Savepoint savepoint) throws SQLException {
    connection().releaseSavepoint(savepoint);
  }

  void undo(Savepoint savepoint) throws SQLException {
    connection().rollback(savepoint);
  }

  void commit() throws SQLException {
    over = true;
    if (connection != null) {
      connection.commit();
    }
  }

  void rollback() throws SQLException {
    over = true;
    if (connection != null) {
      connection.rollback();
    }
  }

  /** Gives the connection back; whatever was not committed is rolled back. */
  void close() throws SQLException {
    over = true;
    if (end != null) {
      end.cancel(false);
    }
    if (connection != null) {
      var returned = connection;
      connection = null;
      returned.close();
    }
  }

  Connection connection() throws SQLException {
    if (over) {
      throw new IllegalStateException("the transaction is over");
    }
    if (connection == null) {
      var taken = pool.getConnection();
      connection = taken;
      if (readOnly) {
        taken.setReadOnly(true);
      }
      end = deadline.apply(taken);
    }
    return connection;
  }

  /** Whether its deadline broke the connection. */
  boolean isExpired() {
    return end != null && end.isDone() && !end.isCancelled();
  }

  static JobsException expired(Throwable cause) {
    return new JobsException(
        ErrorCode.TRANSACTION_TIMEOUT, "the transaction ran longer than it may", cause);
  }
}
