package io.leasehold.engine.isolation;

import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A session of the tenants' role that runs any SQL, each text in a transaction of one tenant: what
 * an injected statement could do.
 */
final class TenantSession implements AutoCloseable {

  private final TestDatabase database;
  private final Connection connection;
  private final TenantId tenant;

  private TenantSession(TestDatabase database, Connection connection, TenantId tenant) {
    this.database = database;
    this.connection = connection;
    this.tenant = tenant;
  }

  /** Opens one, whose statements take at most {@code timeout}. */
  static TenantSession of(TestDatabase database, TenantId tenant, Duration timeout)
      throws SQLException {
    var connection = database.connectAs("leasehold_tenant");
    try (var statement = connection.createStatement()) {
      statement.execute("SET statement_timeout = " + timeout.toMillis());
    }
    connection.setAutoCommit(false);
    return new TenantSession(database, connection, tenant);
  }

  // The one place of these tests that knows how a transaction gets its tenant.
  private void open() throws SQLException {
    database.enterTenant(connection, tenant.toString());
  }

  /**
   * Runs and commits a statement, and answers the first column of its rows.
   *
   * @throws SQLException what the database answered; the transaction is rolled back
   */
  List<String> run(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      open();
      var shown = new ArrayList<String>();
      if (statement.execute(sql)) {
        var rows = statement.getResultSet();
        while (rows.next()) {
          shown.add(String.valueOf(rows.getString(1)));
        }
      }
      connection.commit();
      return shown;
    } catch (SQLException e) {
      if (!connection.isClosed()) {
        connection.rollback();
      }
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
