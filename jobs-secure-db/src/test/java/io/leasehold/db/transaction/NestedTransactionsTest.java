package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NestedTransactionsTest {

  // A nested transaction that took a connection of its own would wait for the outer one's.
  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private final SecurityContext ann = Acme.of(ANN);

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  @Test
  void joinsTheTransactionOfTheSameCaller() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            outer -> {
              order(outer, "outer");
              return acme.transactions().asTenant(ann, inner -> order(inner, "inner"));
            });

    assertThat(acme.ordersOf(ANN)).containsExactly("outer", "inner");
  }

  @Test
  void isRolledBackWithTheOuterTransaction() throws SQLException {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        ann,
                        outer -> {
                          acme.transactions().asTenant(ann, inner -> order(inner, "inner"));
                          throw new IllegalStateException("outer fails");
                        }));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void nothingIsCommittedAfterASwallowedFailure() throws SQLException {
    assertFails(
        ErrorCode.TRANSACTION_ROLLED_BACK,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    outer -> {
                      order(outer, "outer");
                      failUnnoticed();
                      return 1;
                    }));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  private void failUnnoticed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> acme.transactions().asTenant(ann, NestedTransactionsTest::fail));
  }

  private static int fail(ScopedTransaction tx) {
    throw new IllegalStateException("inner fails in " + tx.caller());
  }

  @Test
  void savepointUndoesAnInnerFailure() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            outer -> {
              order(outer, "outer");
              assertThatIllegalStateException()
                  .isThrownBy(
                      () ->
                          outer.savepoint(
                              part ->
                                  acme.transactions().asTenant(ann, NestedTransactionsTest::fail)));
              return 1;
            });

    assertThat(acme.ordersOf(ANN)).containsExactly("outer");
  }

  @Test
  void refusesAnotherCaller() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(ann, outer -> acme.transactions().asTenant(Acme.of(BOB), inner -> 1)))
        .withMessageContaining("cannot join");
  }

  @Test
  void refusesTheSameTenantWithMoreReadableTenants() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        ann, outer -> acme.transactions().asTenant(Acme.of(ANN, BOB), inner -> 1)))
        .withMessageEndingWith("one with another set of readable tenants cannot join it");
  }

  @Test
  void refusesOtherOptions() {
    var readOnly = TransactionOptions.defaults().asReadOnly();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        ann, outer -> acme.transactions().asTenant(ann, readOnly, inner -> 1)))
        .withMessageContaining("options");
  }

  @Test
  void worksInATransactionThatIsPassedOn() throws SQLException {
    acme.transactions().asTenant(ann, this::handOn);

    assertThat(acme.ordersOf(ANN)).containsExactly("within");
  }

  private int handOn(TenantTransaction tx) {
    return acme.transactions().within(tx, inner -> order(inner, "within"));
  }

  @Test
  void nothingIsCommittedAfterASwallowedFailureInAPassedTransaction() {
    assertFails(
        ErrorCode.TRANSACTION_ROLLED_BACK,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    tx -> {
                      assertThatIllegalStateException()
                          .isThrownBy(
                              () -> acme.transactions().within(tx, NestedTransactionsTest::fail));
                      return 1;
                    }));
  }

  @Test
  void refusesAForeignImplementation() {
    var foreign =
        new TenantTransaction() {
          @Override
          public SecurityContext caller() {
            return ann;
          }

          @Override
          public void afterCommit(Runnable hook) {}
        };

    assertThatIllegalArgumentException()
        .isThrownBy(() -> acme.transactions().within(foreign, tx -> 1));
  }

  @Test
  void doesNotJoinATransactionOfAnotherDatabase() throws SQLException {
    List<Integer> backends = new ArrayList<>();
    try (var other = acme.openAt(acme.acme().database().jdbcUrl())) {
      acme.transactions()
          .asTenant(
              ann,
              outer -> {
                backends.add(backend(outer));
                return backends.add(
                    other.transactions().asTenant(ann, NestedTransactionsTest::backend));
              });
    }

    assertThat(backends).doesNotHaveDuplicates();
  }

  private static int backend(ScopedTransaction tx) {
    return Integer.parseInt(tx.dsl().fetchSingle(OpenAcme.call("backend")).value1());
  }
}
