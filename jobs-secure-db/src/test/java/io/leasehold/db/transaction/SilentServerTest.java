package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.transaction.Failures.assertFails;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.testkit.TcpProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that is gone without a word, as when its machine loses power. */
class SilentServerTest {

  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final int FIRST_THAT_ENDS_TRANSACTIONS = 17;

  @RegisterExtension
  static final OpenAcme acme =
      new OpenAcme(limits -> limits.tenantConnections(1).transactionTimeout(LIMIT));

  private final SecurityContext ann = Acme.of(ANN);

  @Test
  void isDetectedDuringAStatement() throws SQLException, IOException {
    // Where the client has to end the transaction, it does so before it gives the server up.
    var code =
        acme.serverVersion() >= FIRST_THAT_ENDS_TRANSACTIONS
            ? ErrorCode.DATABASE_UNREACHABLE
            : ErrorCode.TRANSACTION_TIMEOUT;

    assertSilenceIs(code, TransactionOptions.defaults(), tx -> order(tx, "never"));
  }

  @Test
  void outcomeIsUnknownDuringTheCommit() throws SQLException, IOException {
    var longer = TransactionOptions.defaults().timeout(LIMIT.multipliedBy(2));

    assertSilenceIs(ErrorCode.OUTCOME_UNKNOWN, longer, tx -> 1);
  }

  // In a thread of its own, which can be given up.
  private void assertSilenceIs(
      ErrorCode code, TransactionOptions options, ToIntFunction<ScopedTransaction> then)
      throws SQLException, IOException {
    try (var proxy = TcpProxy.before(acme.acme().database().jdbcUrl());
        var database = acme.openAt(proxy.jdbcUrl())) {
      assertFails(
          code,
          () ->
              Threads.inAnother(
                  () ->
                      database
                          .transactions()
                          .asTenant(
                              ann,
                              options,
                              tx -> {
                                order(tx, "x");
                                proxy.fallSilent();
                                return then.applyAsInt(tx);
                              })));
    }
  }
}
