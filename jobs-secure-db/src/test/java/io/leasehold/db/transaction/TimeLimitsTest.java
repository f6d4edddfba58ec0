package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.call;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.OpenAcme.setting;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jooq.impl.DSL.asterisk;
import static org.jooq.impl.DSL.inline;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;
import org.jooq.Query;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How long anything may take, whether the server or this process has to see to it. */
class TimeLimitsTest {

  private static final Duration SHORT = Duration.ofMillis(150);
  private static final double LONG_SECONDS = 30;

  @RegisterExtension
  static final OpenAcme acme =
      new OpenAcme(limits -> limits.tenantConnections(2).lockTimeout(SHORT));

  private final SecurityContext ann = Acme.of(ANN);

  @BeforeEach
  void oneOrder() throws SQLException {
    acme.acme()
        .execute(
            """
            DELETE FROM acme.orders;
            INSERT INTO acme.orders (tenant_id, code) VALUES ('%s', 'a')
            """
                .formatted(ANN));
  }

  private static int pause(ScopedTransaction tx) {
    return tx.dsl().fetch(call("pause", inline(LONG_SECONDS))).size();
  }

  @Test
  void endTheFirstStatement() {
    var options = TransactionOptions.defaults().statementTimeout(SHORT);

    assertFails(
        ErrorCode.STATEMENT_CANCELLED,
        () -> acme.transactions().asTenant(ann, options, TimeLimitsTest::pause));
  }

  @Test
  void endALaterStatement() {
    var options = TransactionOptions.defaults().statementTimeout(SHORT);

    assertFails(
        ErrorCode.STATEMENT_CANCELLED,
        () -> acme.transactions().asTenant(ann, options, tx -> order(tx, "x") + pause(tx)));
  }

  @Test
  void areThoseOfTheConfigurationByDefault() {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              assertThat(setting(tx, "statement_timeout")).isEqualTo("30s");
              assertThat(setting(tx, "lock_timeout")).isEqualTo("150ms");
              assertThat(setting(tx, "idle_in_transaction_session_timeout")).isEqualTo("1min");
              return 1;
            });
  }

  @Test
  void canBeSetForATransaction() {
    var options =
        TransactionOptions.defaults()
            .statementTimeout(Duration.ofSeconds(2))
            .timeout(Duration.ofSeconds(3));

    acme.transactions()
        .asTenant(
            ann,
            options,
            tx -> {
              assertThat(setting(tx, "statement_timeout")).isEqualTo("2s");
              assertThat(setting(tx, "idle_in_transaction_session_timeout")).isEqualTo("3s");
              return 1;
            });
  }

  @Test
  void endTheWaitForALock() throws SQLException {
    try (var holder = acme.acme().database().connectAsAdministrator();
        var lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.execute("UPDATE acme.orders SET total = 1");

      assertFails(
          ErrorCode.LOCK_TIMEOUT,
          () ->
              acme.transactions()
                  .asTenant(ann, tx -> tx.delete(ORDERS).where(ORDERS.CODE.eq("a")).execute()));
    }
  }

  @Test
  void endATransactionDuringALongStatement() throws SQLException {
    var options = TransactionOptions.defaults().timeout(SHORT);

    assertFails(
        ErrorCode.TRANSACTION_TIMEOUT,
        () -> acme.transactions().asTenant(ann, options, tx -> order(tx, "x") + pause(tx)));
    assertThat(acme.ordersOf(ANN)).containsExactly("a");
  }

  @Test
  void endATransactionThatIsBusyWithShortStatements() throws SQLException {
    var options = TransactionOptions.defaults().timeout(SHORT);
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);

    assertFails(
        ErrorCode.TRANSACTION_TIMEOUT,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    options,
                    tx -> {
                      order(tx, "x");
                      while (System.nanoTime() < end) {
                        tx.dsl().fetchCount(ORDERS);
                      }
                      return 1;
                    }));
    assertThat(acme.ordersOf(ANN)).containsExactly("a");
  }

  @Test
  void endATransactionThatIsIdleBeforeAStatement() throws SQLException {
    assertIdleIsEnded(tx -> order(tx, "y"));
  }

  @Test
  void endATransactionThatIsIdleBeforeItsCommit() throws SQLException {
    assertIdleIsEnded(tx -> 1);
  }

  private void assertIdleIsEnded(ToIntFunction<ScopedTransaction> then) throws SQLException {
    var options = TransactionOptions.defaults().timeout(SHORT);

    assertFails(
        ErrorCode.TRANSACTION_TIMEOUT,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    options,
                    tx -> {
                      order(tx, "x");
                      var backend = tx.dsl().fetchSingle(call("backend")).value1();
                      await().until(() -> isGone(backend));
                      return then.applyAsInt(tx);
                    }));
    assertThat(acme.ordersOf(ANN)).containsExactly("a");
  }

  private static boolean isGone(String backend) throws SQLException {
    return acme.look("SELECT 1 FROM pg_stat_activity WHERE pid = " + backend).isEmpty();
  }

  @Test
  void doNotAffectTheNextUser() {
    var options = TransactionOptions.defaults().timeout(SHORT);
    acme.transactions().asTenant(ann, options, tx -> order(tx, "x"));

    var paused =
        acme.transactions().asTenant(ann, tx -> tx.dsl().fetch(call("pause", inline(0.4))).size());

    assertThat(paused).isEqualTo(1);
  }

  @Test
  void canBeShortenedFromAnotherThread() {
    var query = new AtomicReference<Query>();
    var sent = new CountDownLatch(1);
    var running =
        Threads.start(
            () ->
                acme.transactions()
                    .asTenant(
                        ann,
                        tx -> {
                          var pause =
                              tx.dsl().select(asterisk()).from(call("pause", inline(LONG_SECONDS)));
                          query.set(pause);
                          sent.countDown();
                          return pause.fetch().size();
                        }));

    await().until(() -> sent.getCount() == 0 && isPausing());
    query.get().cancel();

    assertFails(ErrorCode.STATEMENT_CANCELLED, () -> Threads.result(running));
    int orders = acme.transactions().asTenant(ann, tx -> tx.dsl().fetchCount(ORDERS));
    assertThat(orders).isEqualTo(1);
  }

  private static boolean isPausing() throws SQLException {
    return !acme.look(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname ="
                + " current_database()")
        .isEmpty();
  }
}
