package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.PlatformCall;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.db.UnverifiedDatabase;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How often a transaction waits for the server. */
class RoundTripsTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private TcpProxy proxy;
  private UnverifiedDatabase database;

  @BeforeEach
  void connect() throws IOException, SQLException {
    proxy = TcpProxy.before(acme.acme().database().jdbcUrl());
    database = acme.openAt(proxy.jdbcUrl());
    turnsOf(TransactionOptions.defaults(), RoundTripsTest::read);
  }

  @AfterEach
  void disconnect() throws IOException {
    database.close();
    proxy.close();
  }

  private static int read(ScopedTransaction tx) {
    return tx.dsl().select(ORDERS.ID).from(ORDERS).fetch().size();
  }

  private int turnsOf(TransactionOptions options, TenantWork<?, RuntimeException> work) {
    var before = proxy.turns();
    database.transactions().asTenant(Acme.of(ANN), options, work);
    return proxy.turns() - before;
  }

  private int turnsOfAPlainTransaction() throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                proxy.jdbcUrl(), "leasehold_tenant", TestDatabase.PASSWORD);
        var select = connection.prepareStatement("SELECT id FROM acme.orders")) {
      connection.setAutoCommit(false);
      var before = proxy.turns();
      select.executeQuery().close();
      connection.commit();
      return proxy.turns() - before;
    }
  }

  @Test
  void areAsManyAsThoseOfAPlainTransaction() throws SQLException {
    var turns = turnsOf(TransactionOptions.defaults(), RoundTripsTest::read);

    assertThat(turns).isEqualTo(turnsOfAPlainTransaction()).isEqualTo(2);
  }

  @Test
  void areNoMoreForAnotherIsolation() {
    var options = TransactionOptions.defaults().isolation(Isolation.SERIALIZABLE);

    assertThat(turnsOf(options, RoundTripsTest::read)).isEqualTo(2);
  }

  @Test
  void areNoMoreForReadingOnly() {
    var options = TransactionOptions.defaults().asReadOnly();

    assertThat(turnsOf(options, RoundTripsTest::read)).isEqualTo(2);
  }

  @Test
  void areNoMoreOnceTheServerHasPreparedTheStatement() {
    for (int i = 0; i < 10; i++) {
      assertThat(turnsOf(TransactionOptions.defaults(), RoundTripsTest::read)).isEqualTo(2);
    }
  }

  @Test
  void areOneForEachFurtherStatement() {
    var turns = turnsOf(TransactionOptions.defaults(), tx -> read(tx) + read(tx) + read(tx));

    assertThat(turns).isEqualTo(4);
  }

  @Test
  void areOneForAWholeTransactionOfOneStatement() {
    var options = TransactionOptions.defaults().asOneStatement();

    for (int i = 0; i < 10; i++) {
      assertThat(turnsOf(options, RoundTripsTest::read)).isEqualTo(1);
    }
  }

  @Test
  void areOneForAWholeTransactionOfACall() {
    var call = PlatformCall.of("own_tenant", SQLDataType.UUID);

    for (int i = 0; i < 10; i++) {
      var turns =
          turnsOf(TransactionOptions.defaults().asOneStatement(), tx -> tx.call(call).hashCode());

      assertThat(turns).isEqualTo(1);
    }
  }

  @Test
  void areNoneWithoutStatements() {
    assertThat(turnsOf(TransactionOptions.defaults(), tx -> 1)).isZero();
  }

  @Test
  void areTwoMoreForASavepoint() {
    var turns =
        turnsOf(TransactionOptions.defaults(), tx -> read(tx) + tx.savepoint(RoundTripsTest::read));

    assertThat(turns).isEqualTo(5);
  }
}
