package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.OpenAcme.setting;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jooq.impl.DSL.count;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a transaction may see and write, as the database enforces it. */
class IsolationTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private static final String LEVEL = "transaction_isolation";

  private final SecurityContext ann = Acme.of(ANN);

  @BeforeEach
  void oneOrder() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
    orderFromOutside("old");
  }

  private static void orderFromOutside(String code) throws SQLException {
    acme.acme()
        .execute(
            "INSERT INTO acme.orders (tenant_id, code) VALUES ('%s', '%s')".formatted(ANN, code));
  }

  private static int orders(ScopedTransaction tx) {
    return tx.dsl().select(count()).from(ORDERS).fetchSingle().value1();
  }

  private static int seenAfterAnotherCommits(Isolation isolation) {
    return acme.transactions()
        .asTenant(
            Acme.of(ANN),
            TransactionOptions.defaults().isolation(isolation),
            tx -> {
              orders(tx);
              commitAnother();
              return orders(tx);
            });
  }

  private static void commitAnother() {
    try {
      orderFromOutside("new");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void readCommittedShowsEarlierCommits() {
    assertThat(seenAfterAnotherCommits(Isolation.READ_COMMITTED)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
  void repeatableReadShowsOneSnapshot(Isolation isolation) {
    assertThat(seenAfterAnotherCommits(isolation)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void appliesToTenantsAndTheEngine(Isolation isolation) {
    var options = TransactionOptions.defaults().isolation(isolation);
    var level = isolation.name().toLowerCase(Locale.ROOT).replace('_', ' ');

    var ofTenants = acme.transactions().asTenant(ann, options, IsolationTest::level);
    var ofTheEngine = acme.transactions().asEngine(options, tx -> OpenAcme.setting(tx, LEVEL));

    assertThat(ofTenants).isEqualTo(level);
    assertThat(ofTheEngine).isEqualTo(level);
  }

  private static String level(ScopedTransaction tx) {
    return setting(tx, LEVEL);
  }

  @Test
  void endsWithItsTransaction() {
    var serializable = TransactionOptions.defaults().isolation(Isolation.SERIALIZABLE).asReadOnly();
    acme.transactions().asTenant(ann, serializable, IsolationTest::orders);

    var level = acme.transactions().asTenant(ann, IsolationTest::level);
    var written = acme.transactions().asTenant(ann, tx -> order(tx, "written"));

    assertThat(level).isEqualTo("read committed");
    assertThat(written).isEqualTo(1);
  }

  @Test
  void readOnlyRefusesWrites() throws SQLException {
    var readOnly = TransactionOptions.defaults().asReadOnly();

    assertFails(
        ErrorCode.DATABASE_READ_ONLY,
        () -> acme.transactions().asTenant(ann, readOnly, tx -> order(tx, "x")));
    assertThat(acme.ordersOf(ANN)).containsExactly("old");
  }

  // The pool looks whether a connection lives once it has been idle for half a second.
  @Test
  void readOnlyRefusesWritesOnAnIdleConnection() {
    var readOnly = TransactionOptions.defaults().asReadOnly();
    acme.transactions().asTenant(ann, IsolationTest::orders);
    await().until(IsolationTest::isIdleForLong);

    assertFails(
        ErrorCode.DATABASE_READ_ONLY,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    readOnly,
                    tx -> {
                      assertThat(setting(tx, "transaction_read_only")).isEqualTo("on");
                      return order(tx, "x");
                    }));
  }

  private static boolean isIdleForLong() throws SQLException {
    return !acme.look(
            """
            SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND usename = 'leasehold_tenant' AND state_change < clock_timestamp() - INTERVAL '600 ms'
            """)
        .isEmpty();
  }

  @Test
  void serializableRefusesOneOfTwoConflictingTransactions() {
    var serializable = TransactionOptions.defaults().isolation(Isolation.SERIALIZABLE);

    assertFails(
        ErrorCode.SERIALIZATION_FAILURE,
        () -> acme.transactions().asTenant(ann, serializable, IsolationTest::skewWrites));
  }

  /** Counts, and writes what it counted, while another does the same and commits first. */
  private static int skewWrites(ScopedTransaction tx) throws SQLException {
    var counted = orders(tx);
    acme.acme()
        .execute(
            """
            BEGIN ISOLATION LEVEL SERIALIZABLE;
            INSERT INTO acme.orders (tenant_id, code)
            SELECT '%s', 'other counted ' || count(*) FROM acme.orders;
            COMMIT
            """
                .formatted(ANN));
    return order(tx, "counted " + counted);
  }

  @Test
  void reportsAFailureOfTheCommitItself() throws SQLException {
    var serializable = TransactionOptions.defaults().isolation(Isolation.SERIALIZABLE);
    var written = new AtomicInteger();

    assertFails(
        ErrorCode.SERIALIZATION_FAILURE,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    serializable,
                    tx -> {
                      var counted = orders(tx);
                      written.set(order(tx, "counted " + counted));
                      return Threads.inAnother(IsolationTest::countAndWriteBeside);
                    }));

    assertThat(written).hasValue(1);
    assertThat(acme.ordersOf(ANN)).containsExactly("old", "beside 1");
  }

  private static int countAndWriteBeside() throws SQLException {
    acme.acme()
        .execute(
            """
            BEGIN ISOLATION LEVEL SERIALIZABLE;
            INSERT INTO acme.orders (tenant_id, code)
            SELECT '%s', 'beside ' || count(*) FROM acme.orders;
            COMMIT
            """
                .formatted(ANN));
    return 1;
  }
}
