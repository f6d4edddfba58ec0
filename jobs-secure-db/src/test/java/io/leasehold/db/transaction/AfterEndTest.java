package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What hooks are told of how their transaction ended. */
class AfterEndTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  private final SecurityContext ann = Acme.of(ANN);
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  private int register(ScopedTransaction tx) {
    tx.afterEnd(committed -> told.add(committed ? "committed" : "not"));
    return 1;
  }

  private int registerAndFail(ScopedTransaction tx) {
    register(tx);
    throw new IllegalStateException("fails");
  }

  @Test
  void reportsACommitInOrderWithTheOtherHooks() {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              tx.afterCommit(() -> told.add("first"));
              register(tx);
              tx.afterCommit(() -> told.add("last"));
              return told.isEmpty();
            });

    assertThat(told).containsExactly("first", "committed", "last");
  }

  @Test
  void reportsACommitWithoutAStatement() {
    acme.transactions().asTenant(ann, this::register);

    assertThat(told).containsExactly("committed");
  }

  @Test
  void reportsARollback() {
    assertThatIllegalStateException()
        .isThrownBy(() -> acme.transactions().asTenant(ann, this::registerAndFail));

    assertThat(told).containsExactly("not");
  }

  @Test
  void reportsARolledBackSavepointAtOnceAndOnce() {
    acme.transactions()
        .asTenant(
            ann,
            tx -> {
              assertThatIllegalStateException()
                  .isThrownBy(() -> tx.savepoint(this::registerAndFail));
              assertThat(told).containsExactly("not");
              return tx.savepoint(this::register);
            });

    assertThat(told).containsExactly("not", "committed");
  }

  @Test
  void reportsARollbackAfterASwallowedException() {
    assertFails(
        ErrorCode.TRANSACTION_ROLLED_BACK,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    tx -> {
                      assertThatIllegalStateException()
                          .isThrownBy(
                              () -> acme.transactions().asTenant(ann, this::registerAndFail));
                      return told.isEmpty();
                    }));

    assertThat(told).containsExactly("not");
  }

  @Test
  void doesNotReportACommitOfUnknownOutcome() {
    assertFails(
        ErrorCode.OUTCOME_UNKNOWN,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    tx -> {
                      register(tx);
                      var backend = tx.dsl().fetchSingle(OpenAcme.call("backend")).value1();
                      acme.look("SELECT pg_terminate_backend(%s, 10000)".formatted(backend));
                      return backend;
                    }));

    assertThat(told).containsExactly("not");
  }

  @Test
  void reportsEachAttempt() {
    var twice = TransactionOptions.defaults().attempts(2);

    acme.transactions()
        .asTenant(
            ann,
            twice,
            tx -> {
              register(tx);
              if (told.isEmpty()) {
                throw new JobsException(ErrorCode.DEADLOCK, "the first time, on purpose");
              }
              return order(tx, "x");
            });

    assertThat(told).containsExactly("not", "committed");
  }

  @Test
  void aHookThatThrowsHidesNeitherTheOthersNorTheCallersException() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        ann,
                        tx -> {
                          tx.afterEnd(_ -> assertThat(told).as("on purpose").isNotEmpty());
                          return registerAndFail(tx);
                        }))
        .withMessage("fails");

    assertThat(told).containsExactly("not");
  }
}
