package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AfterCommitTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private final SecurityContext ann = Acme.of(ANN);
  private final List<String> run = new ArrayList<>();

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  @Test
  void runsHooksInOrderOnceTheRowsAreThere() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              tx.afterCommit(() -> run.add("first sees " + committed()));
              tx.afterCommit(() -> run.add("second"));
              return order(tx, "x");
            });

    assertThat(run).containsExactly("first sees [x]", "second");
  }

  private List<String> committed() {
    try {
      return acme.ordersOf(ANN);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void hookMayOpenATransaction() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              tx.afterCommit(
                  () -> acme.transactions().asTenant(Acme.of(Acme.BOB), own -> order(own, "own")));
              return order(tx, "x");
            });

    assertThat(acme.ordersOf(Acme.BOB)).containsExactly("own");
  }

  @Test
  void runsNothingAfterARollback() {
    assertThatIllegalStateException()
        .isThrownBy(() -> acme.transactions().asTenant(ann, this::registerAndFail));

    assertThat(run).isEmpty();
  }

  private int registerAndFail(ScopedTransaction tx) {
    tx.afterCommit(() -> run.add("never"));
    throw new IllegalStateException("fails");
  }

  @Test
  void runsTheOtherHooksIfOneFails() {
    var result =
        acme.transactions()
            .asTenant(
                ann,
                tx -> {
                  tx.afterCommit(AfterCommitTest::failWithAnException);
                  tx.afterCommit(AfterCommitTest::failWithAnError);
                  tx.afterCommit(() -> run.add("last"));
                  return order(tx, "x");
                });

    assertThat(result).isEqualTo(1);
    assertThat(run).containsExactly("last");
  }

  private static void failWithAnException() {
    throw new IllegalStateException("a hook that fails, on purpose");
  }

  private static void failWithAnError() {
    throw new AssertionError("a hook that fails, on purpose");
  }

  @Test
  void dropsHooksOfARolledBackSavepoint() {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              tx.afterCommit(() -> run.add("before"));
              assertThatIllegalStateException()
                  .isThrownBy(() -> tx.savepoint(this::registerAndFail));
              tx.afterCommit(() -> run.add("after"));
              return 1;
            });

    assertThat(run).containsExactly("before", "after");
  }

  @Test
  void runsHooksOfWorkThatJoined() {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              acme.transactions().asTenant(ann, inner -> register(inner));
              return run.add("work");
            });

    assertThat(run).containsExactly("work", "hook");
  }

  private int register(ScopedTransaction tx) {
    tx.afterCommit(() -> run.add("hook"));
    return 1;
  }
}
