package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SavepointTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  private final SecurityContext ann = Acme.of(ANN);
  private final IOException failure = new IOException("a part fails");

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  @Test
  void undoesOnlyItsPart() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              order(tx, "before");
              assertThatThrownBy(() -> tx.savepoint(this::writeAndFail)).isSameAs(failure);
              return order(tx, "after");
            });

    assertThat(acme.ordersOf(ANN)).containsExactly("before", "after");
  }

  private int writeAndFail(ScopedTransaction part) throws IOException {
    order(part, "undone");
    throw failure;
  }

  @Test
  void keepsASuccessfulPart() throws SQLException {
    acme.transactions().asTenant(ann, tx -> tx.savepoint(part -> order(part, "kept")));

    assertThat(acme.ordersOf(ANN)).containsExactly("kept");
  }

  @Test
  void keepsTheTenantIfTheFirstPartIsUndone() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              assertThatThrownBy(() -> tx.savepoint(this::writeAndFail)).isSameAs(failure);
              assertThat(OpenAcme.tenant(tx)).isEqualTo(ANN.toString());
              return order(tx, "after");
            });

    assertThat(acme.ordersOf(ANN)).containsExactly("after");
  }

  @Test
  void transactionContinuesAfterAKeyConflict() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              order(tx, "x");
              assertFails(ErrorCode.KEY_TAKEN, () -> tx.savepoint(part -> order(part, "x")));
              return order(tx, "y");
            });

    assertThat(acme.ordersOf(ANN)).containsExactly("x", "y");
  }

  @Test
  void undoesAPartThatSwallowedAnError() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              order(tx, "x");
              assertFails(
                  ErrorCode.TRANSACTION_ROLLED_BACK, () -> tx.savepoint(SavepointTest::hide));
              return order(tx, "y");
            });

    assertThat(acme.ordersOf(ANN)).containsExactly("x", "y");
  }

  private static boolean hide(ScopedTransaction part) {
    try {
      return order(part, "x") == 2;
    } catch (JobsException e) {
      return true;
    }
  }

  @Test
  void canBeNested() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx ->
                tx.savepoint(
                    outer -> {
                      order(outer, "outer");
                      assertThatThrownBy(() -> outer.savepoint(this::writeAndFail))
                          .isSameAs(failure);
                      return 1;
                    }));

    assertThat(acme.ordersOf(ANN)).containsExactly("outer");
  }

  @Test
  void nothingIsCommittedIfAPartCannotBeUndone() throws SQLException {
    assertFails(
        ErrorCode.DATABASE_UNREACHABLE,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    tx -> {
                      order(tx, "x");
                      assertThatThrownBy(() -> tx.savepoint(this::loseTheServerAndFail))
                          .isSameAs(failure);
                      return order(tx, "y");
                    }));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  private int loseTheServerAndFail(ScopedTransaction part) throws Exception {
    var backend = part.dsl().fetchSingle(OpenAcme.call("backend")).value1();
    acme.acme().execute("SELECT pg_terminate_backend(%s, 10000)".formatted(backend));
    throw failure;
  }
}
