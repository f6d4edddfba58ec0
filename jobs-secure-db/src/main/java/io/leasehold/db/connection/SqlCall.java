package io.leasehold.db.connection;

import java.sql.SQLException;

/** A step of JDBC, whose error is translated. */
@FunctionalInterface
public interface SqlCall<T> {

  T call() throws SQLException;

  /** A step without a result. */
  @FunctionalInterface
  interface Step {
    void run() throws SQLException;
  }
}
