package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import java.sql.SQLException;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A virtual thread that is interrupted: its next word would break the connection. */
class InterruptTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  @Test
  void isReportedBeforeTheFirstStatement() {
    assertInterrupted(tx -> order(interrupted(tx), "never"));
  }

  @Test
  void isReportedBeforeALaterStatement() throws SQLException {
    assertInterrupted(tx -> order(tx, "lost") + order(interrupted(tx), "never"));

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void isReportedBeforeTheCommit() throws SQLException {
    assertInterrupted(tx -> order(tx, "lost") + interrupted(tx).caller().roles().size());

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  private static void assertInterrupted(ToIntFunction<ScopedTransaction> work) {
    assertFails(
        ErrorCode.INTERRUPTED,
        () ->
            Threads.inAnother(
                () -> acme.transactions().asTenant(Acme.of(ANN), tx -> work.applyAsInt(tx))));
  }

  private static ScopedTransaction interrupted(ScopedTransaction tx) {
    Thread.currentThread().interrupt();
    return tx;
  }
}
