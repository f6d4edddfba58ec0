package io.leasehold.db.connection;

import java.sql.SQLException;

/** A JDBC operation whose errors are translated. */
@FunctionalInterface
public interface SqlCall<T> {

  T call() throws SQLException;

  /** An operation without a result. */
  @FunctionalInterface
  interface Step {
    void run() throws SQLException;
  }
}
