package io.leasehold.db.policy;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/** A pool that remembers the connection that it gave last, for a test that sends SQL over it. */
final class RecordedConnections implements DataSource {

  private final DataSource pool;
  private @Nullable Connection last;

  RecordedConnections(DataSource pool) {
    this.pool = pool;
  }

  /**
   * The driver's connection of the transaction that runs: the pool's would close at some errors.
   */
  Connection last() throws SQLException {
    return Objects.requireNonNull(last, "no transaction has begun").unwrap(PgConnection.class);
  }

  @Override
  public Connection getConnection() throws SQLException {
    var taken = pool.getConnection();
    last = taken;
    return taken;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return pool.getConnection(user, password);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.isWrapperFor(type);
  }
}
