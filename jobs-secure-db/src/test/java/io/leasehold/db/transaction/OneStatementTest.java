package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transaction whose only statement takes its end along. */
class OneStatementTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  private static int inOne(TenantWork<Integer, RuntimeException> work) {
    return acme.transactions().asTenant(Acme.of(ANN), ONE, work);
  }

  private static int read(ScopedTransaction tx) {
    return tx.selectFrom(ORDERS).fetch().size();
  }

  @Test
  void refusesASecondStatement() throws SQLException {
    assertThatIllegalStateException()
        .isThrownBy(() -> inOne(tx -> read(tx) + read(tx)))
        .withMessageContaining("one statement");
    assertThatIllegalStateException()
        .isThrownBy(() -> inOne(tx -> order(tx, "first") + order(tx, "second")))
        .withMessageContaining("one statement");

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void refusesToRunAKeptStatementAgain() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                inOne(
                    tx -> {
                      try (var kept = tx.selectFrom(ORDERS).keepStatement(true)) {
                        return kept.fetch().size() + kept.fetch().size();
                      }
                    }))
        .withMessageContaining("one statement");
  }

  @Test
  void reportsAnErrorAndCommitsNothing() throws SQLException {
    inOne(tx -> order(tx, "taken"));

    assertFails(ErrorCode.KEY_TAKEN, () -> inOne(tx -> order(tx, "taken")));

    assertThat(acme.ordersOf(ANN)).containsExactly("taken");
    assertThat(inOne(OneStatementTest::read)).isEqualTo(1);
  }

  @Test
  void readsAllRowsWithAnyFetchSize() {
    for (int i = 0; i < 5; i++) {
      store(i);
    }

    var seen = inOne(tx -> tx.selectFrom(ORDERS).fetchSize(2).fetch().size());

    assertThat(seen).isEqualTo(5);
  }

  private static void store(int number) {
    inOne(tx -> order(tx, "o" + number));
  }

  @Test
  void runsAfterCommitHooks() {
    var ran = new AtomicInteger();

    inOne(
        tx -> {
          tx.afterCommit(ran::incrementAndGet);
          return order(tx, "one");
        });

    assertThat(ran).hasValue(1);
  }

  @Test
  void doesNotEndATransactionThatItJoins() throws SQLException {
    acme.transactions()
        .asTenant(
            Acme.of(ANN),
            outer -> {
              inOne(tx -> order(tx, "a"));
              inOne(tx -> order(tx, "b"));
              assertThat(acme.ordersOf(ANN)).isEmpty();
              return 1;
            });

    assertThat(acme.ordersOf(ANN)).containsExactlyInAnyOrder("a", "b");
  }
}
