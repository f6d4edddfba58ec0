package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TcpProxy.Cut;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a caller is told when its connection breaks. */
class LostConnectionTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(2));

  private static final TransactionOptions TWICE = TransactionOptions.defaults().attempts(2);

  private final SecurityContext ann = Acme.of(ANN);
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  private static String killed(ScopedTransaction tx) throws SQLException {
    var backend = tx.dsl().fetchSingle(OpenAcme.call("backend")).value1();
    acme.look("SELECT pg_terminate_backend(%s, 10000)".formatted(backend));
    return backend;
  }

  @Test
  void lossBeforeTheCommitIsReported() throws SQLException {
    assertFails(
        ErrorCode.DATABASE_UNREACHABLE,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    tx -> {
                      order(tx, "lost");
                      killed(tx);
                      return order(tx, "never");
                    }));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void workThatContinuesAfterTheLossFails() throws SQLException {
    assertFails(
        ErrorCode.DATABASE_UNREACHABLE,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    TWICE,
                    tx -> {
                      runs.incrementAndGet();
                      killed(tx);
                      assertFails(ErrorCode.DATABASE_UNREACHABLE, () -> order(tx, "never"));
                      assertFails(ErrorCode.DATABASE_UNREACHABLE, () -> order(tx, "never"));
                      return 1;
                    }));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void workIsRetriedIfRequested() throws SQLException {
    acme.transactions()
        .asTenant(
            ann,
            TWICE,
            tx -> {
              order(tx, "kept");
              return runs.incrementAndGet() == 1 ? killed(tx) + order(tx, "never") : "";
            });

    assertThat(runs).hasValue(2);
    assertThat(acme.ordersOf(ANN)).containsExactly("kept");
  }

  // The server says that it ends the session, which it may also say just after a commit.
  @Test
  void outcomeIsUnknownIfTheSessionEndsAtTheCommit() throws SQLException {
    assertFails(
        ErrorCode.OUTCOME_UNKNOWN,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    TWICE,
                    tx -> {
                      runs.incrementAndGet();
                      order(tx, "lost");
                      return killed(tx);
                    }));

    assertThat(runs).hasValue(1);
    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void outcomeIsUnknownIfTheAnswerToTheCommitIsLost() throws SQLException, IOException {
    assertOutcomeUnknown(Cut.BEFORE_THE_SERVER_IS_HEARD);

    await().until(() -> acme.ordersOf(ANN).equals(List.of("cut")));
    assertThat(runs).hasValue(1);
  }

  @Test
  void outcomeIsUnknownIfTheCommitIsLost() throws SQLException, IOException {
    assertOutcomeUnknown(Cut.BEFORE_THE_SERVER_HEARS);

    assertThat(acme.ordersOf(ANN)).isEmpty();
    assertThat(runs).hasValue(1);
  }

  private void assertOutcomeUnknown(Cut cut) throws SQLException, IOException {
    try (var proxy = TcpProxy.before(acme.acme().database().jdbcUrl());
        var database = acme.openAt(proxy.jdbcUrl())) {
      assertFails(
          ErrorCode.OUTCOME_UNKNOWN,
          () -> database.transactions().asTenant(ann, TWICE, tx -> orderAndCut(tx, proxy, cut)));
    }
  }

  @Test
  void outcomeIsUnknownIfTheCommitWasSentWithTheStatement() throws SQLException, IOException {
    try (var proxy = TcpProxy.before(acme.acme().database().jdbcUrl());
        var database = acme.openAt(proxy.jdbcUrl())) {
      proxy.cutNextCommit(Cut.BEFORE_THE_SERVER_IS_HEARD);

      assertFails(
          ErrorCode.OUTCOME_UNKNOWN,
          () ->
              database
                  .transactions()
                  .asTenant(
                      ann,
                      TWICE.asOneStatement(),
                      tx -> runs.incrementAndGet() + tx.selectFrom(ORDERS).fetch().size()));

      assertThat(runs).hasValue(1);
    }
  }

  private int orderAndCut(ScopedTransaction tx, TcpProxy proxy, Cut cut) {
    runs.incrementAndGet();
    var rows = order(tx, "cut");
    proxy.cutNextCommit(cut);
    tx.afterCommit(() -> runs.addAndGet(100));
    return rows;
  }

  @Test
  void exceptionOfTheWorkIsKeptIfTheRollbackFails() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        ann,
                        tx -> {
                          killed(tx);
                          throw new IllegalStateException("the work's own");
                        }))
        .withMessage("the work's own");
  }

  @Test
  void nextCallerGetsAnotherConnection() {
    var dead = runUntilKilled();

    var backend =
        acme.transactions()
            .asTenant(ann, tx -> tx.dsl().fetchSingle(OpenAcme.call("backend")).value1());

    assertThat(backend).isNotEqualTo(dead);
  }

  private String runUntilKilled() {
    var backend = new AtomicReference<>("");
    try {
      acme.transactions()
          .asTenant(
              ann,
              tx -> {
                backend.set(killed(tx));
                return order(tx, "never");
              });
    } catch (JobsException | SQLException e) {
      return backend.get();
    }
    throw new AssertionError("a killed server answered");
  }
}
