package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.currentUser;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransactionsTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(3));

  private final SecurityContext ann = Acme.of(ANN);

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  @Test
  void commitsTheWork() throws SQLException {
    var rows = acme.transactions().asTenant(ann, tx -> order(tx, "kept"));

    assertThat(rows).isEqualTo(1);
    assertThat(acme.ordersOf(ANN)).containsExactly("kept");
  }

  static Stream<Throwable> failures() {
    return Stream.of(new IOException("checked"), new IllegalStateException(), new AssertionError());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void rollsBackAndRethrows(Throwable failure) throws SQLException {
    assertThatThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        ann,
                        tx -> {
                          order(tx, "lost");
                          throw thrown(failure);
                        }))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  private static Exception thrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (Exception) failure;
  }

  @Test
  void takesNoConnectionForWorkWithoutStatements() throws SQLException {
    try (var nowhere = acme.openAt("jdbc:postgresql://localhost:1/nowhere")) {
      var result = nowhere.transactions().asTenant(ann, tx -> tx.caller().tenant());

      assertThat(result).isEqualTo(ANN);
    }
  }

  @Test
  void writesOnlyForTheCallersTenant() throws SQLException {
    acme.transactions().asTenant(ann, tx -> order(tx, "a"));
    acme.transactions().asTenant(Acme.of(BOB), tx -> order(tx, "b"));

    assertThat(acme.ordersOf(ANN)).containsExactly("a");
    assertThat(acme.ordersOf(BOB)).containsExactly("b");
  }

  @Test
  void setsTheTenantOnlyForTheTransaction() {
    var inside =
        acme.transactions().asTenant(Acme.of(ANN, BOB), tx -> OpenAcme.readableTenants(tx.dsl()));

    assertThat(inside).contains(ANN.toString(), BOB.toString());
    var ofTheEngine = acme.transactions().asEngine(OpenAcme::readableTenants);

    assertThat(ofTheEngine).isNullOrEmpty();
  }

  @Test
  void workThatContinuesAfterARefusedStatementFails() throws SQLException {
    assertFails(
        ErrorCode.TRANSACTION_ROLLED_BACK,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    tx -> {
                      order(tx, "twice");
                      return swallowed(() -> order(tx, "twice"));
                    }));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  private static boolean swallowed(Runnable work) {
    try {
      work.run();
      return false;
    } catch (JobsException e) {
      return true;
    }
  }

  @Test
  void isUnusableAfterItsWork() {
    var kept = acme.transactions().asTenant(ann, tx -> new Kept(tx, tx.dsl()));

    assertThatIllegalStateException().isThrownBy(kept.tx::dsl).withMessageContaining("over");
    assertThatIllegalStateException().isThrownBy(() -> kept.tx.afterCommit(() -> {}));
    assertThatIllegalStateException().isThrownBy(() -> kept.tx.savepoint(tx -> 1));
    assertThatIllegalStateException()
        .isThrownBy(() -> kept.dsl.selectFrom(ORDERS).fetch())
        .withMessageContaining("over");
  }

  record Kept(ScopedTransaction tx, DSLContext dsl) {}

  @Test
  void belongsToOneThread() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var seen =
          acme.transactions()
              .asTenant(
                  ann,
                  tx -> {
                    var dsl = tx.dsl();
                    return CompletableFuture.runAsync(tx::dsl, threads)
                        .handle((_, thrown) -> thrown)
                        .thenCombine(
                            CompletableFuture.runAsync(
                                    () -> dsl.selectFrom(ORDERS).fetch(), threads)
                                .handle((_, thrown) -> thrown),
                            Stream::of)
                        .join()
                        .toList();
                  });

      assertThat(seen)
          .hasSize(2)
          .allSatisfy(
              thrown ->
                  assertThat(thrown)
                      .isInstanceOf(CompletionException.class)
                      .hasCauseInstanceOf(IllegalStateException.class)
                      .hasMessageContaining("belongs to the thread"));
    }
  }

  @Test
  void runsTheEnginesWorkAsTheEngine() {
    var user = acme.transactions().asEngine(tx -> tx.select(currentUser()).fetchSingle().value1());

    assertThat(user).isEqualTo("leasehold_engine");
  }

  @Test
  void engineCannotReadBusinessTables() {
    assertFails(
        ErrorCode.STATEMENT_FAILED,
        () -> acme.transactions().asEngine(tx -> tx.selectFrom(ORDERS).fetch()));
  }
}
