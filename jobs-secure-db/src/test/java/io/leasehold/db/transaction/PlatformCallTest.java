package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.Acme;
import io.leasehold.db.DbConfig;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.PlatformCall;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.UnverifiedDatabase;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.TenantId;
import java.io.ByteArrayInputStream;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.JSON;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultDataType;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A call of a platform's function, as a whole transaction and as a part of one. */
class PlatformCallTest {

  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONGER = Duration.ofSeconds(1);

  @RegisterExtension
  static final OpenAcme acme =
      new OpenAcme(
          limits -> limits.tenantConnections(1).lockTimeout(SHORT).transactionTimeout(LONGER));

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  private static final PlatformCall<String> PROBE =
      PlatformCall.of(
          "probe", SQLDataType.VARCHAR, SQLDataType.VARCHAR, SQLDataType.BIGINT, SQLDataType.JSON);

  private static final PlatformCall<String> PROVEN_PROBE = PROBE.provenBy("probe_as");

  @BeforeAll
  static void addFunctions() throws SQLException {
    acme.acme()
        .execute(
            """
            CREATE FUNCTION leasehold.probe_as(
                what text, n bigint, body json, tenants text, proof text) RETURNS text
              LANGUAGE plpgsql
            AS $$
            BEGIN
              CASE what
                WHEN 'proof' THEN
                  RETURN (SELECT concat_ws(' ', n, tenants, proof_of_these)
                    FROM leasehold.tenant_key AS key, leasehold.is_proof(
                      proof, tenants, key.inner_pad, key.outer_pad) AS proof_of_these);
              END CASE;
              RETURN what;
            END $$;
            ALTER FUNCTION leasehold.probe_as(text, bigint, json, text, text) SECURITY DEFINER;
            GRANT EXECUTE ON FUNCTION leasehold.probe_as(text, bigint, json, text, text)
              TO leasehold_tenant;
            CREATE FUNCTION leasehold.probe(what text, n bigint, body json) RETURNS text
              LANGUAGE plpgsql
            AS $$
            BEGIN
              CASE what
                WHEN 'values' THEN RETURN concat_ws(', ', n, body ->> 'a');
                WHEN 'write' THEN
                  INSERT INTO acme.orders (tenant_id, code) VALUES (leasehold.own_tenant(), n);
                WHEN 'tenant' THEN RETURN leasehold.own_tenant();
                WHEN 'readable' THEN RETURN leasehold.readable_tenants();
                WHEN 'wait' THEN PERFORM pg_sleep(30);
                WHEN 'lock' THEN LOCK TABLE acme.orders;
              END CASE;
              RETURN what;
            END $$;
            GRANT EXECUTE ON FUNCTION leasehold.probe(text, bigint, json) TO leasehold_tenant;
            GRANT UPDATE, DELETE, TRUNCATE ON acme.orders TO leasehold_tenant
            """);
  }

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders");
  }

  private static String probe(TenantId tenant, String what) {
    return acme.transactions().asTenant(Acme.of(tenant), ONE, tx -> probe(tx, what, null, null));
  }

  private static String probe(
      ScopedTransaction tx, String what, @Nullable Long n, @Nullable JSON body) {
    return tx.call(PROBE, what, n, body);
  }

  private static void write(ScopedTransaction tx, long n) {
    assertThat(probe(tx, "write", n, null)).isEqualTo("write");
  }

  @Test
  void runsForTheCallersTenant() {
    for (int i = 0; i < 10; i++) {
      assertThat(probe(ANN, "tenant")).isEqualTo(ANN.toString());
      assertThat(probe(BOB, "tenant")).isEqualTo(BOB.toString());
      assertThat(probe(BOB, "readable")).isEqualTo("{%s}".formatted(BOB));
    }
  }

  @Test
  void passesValues() {
    for (int i = 0; i < 10; i++) {
      var both =
          acme.transactions()
              .asTenant(
                  Acme.of(ANN), ONE, tx -> probe(tx, "values", 7L, JSON.json("{\"a\": \"x\"}")));

      assertThat(both).isEqualTo("7, x");
      assertThat(probe(ANN, "values")).isEmpty();
    }
  }

  @Test
  void commitsByItself() throws SQLException {
    acme.transactions()
        .asTenant(
            Acme.of(ANN),
            ONE,
            tx -> {
              write(tx, 1);
              assertThat(acme.ordersOf(ANN)).containsExactly("1");
              return 1;
            });
  }

  @Test
  void runsAfterCommitHooks() {
    var ran = new AtomicInteger();

    acme.transactions()
        .asTenant(
            Acme.of(ANN),
            ONE,
            tx -> {
              tx.afterCommit(ran::incrementAndGet);
              write(tx, 1);
              return 1;
            });

    assertThat(ran).hasValue(1);
  }

  @Test
  void leavesTheConnectionAsItWas() throws SQLException {
    probe(ANN, "tenant");

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(BOB),
                        tx -> {
                          assertThat(probe(tx, "tenant", null, null)).isEqualTo(BOB.toString());
                          write(tx, 1);
                          throw new IllegalStateException("the work's own");
                        }));

    assertThat(acme.ordersOf(BOB)).isEmpty();
  }

  @Test
  void joinsATransaction() throws SQLException {
    acme.transactions()
        .asTenant(
            Acme.of(ANN),
            outer -> {
              order(outer, "first");
              acme.transactions()
                  .asTenant(
                      Acme.of(ANN),
                      ONE,
                      tx -> {
                        write(tx, 2);
                        return 1;
                      });
              assertThat(acme.ordersOf(ANN)).isEmpty();
              return 1;
            });

    assertThat(acme.ordersOf(ANN)).containsExactlyInAnyOrder("first", "2");
  }

  @Test
  void isTheOnlyStatementOfAOneStatementTransaction() throws SQLException {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(ANN),
                        ONE,
                        tx -> probe(tx, "values", 1L, null) + probe(tx, "values", 2L, null)))
        .withMessageContaining("one statement");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(ANN), ONE, tx -> probe(tx, "values", 1L, null) + order(tx, "two")))
        .withMessageContaining("one statement");

    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  private static String provenProbe(TenantId tenant, String what) {
    return acme.transactions()
        .asTenant(Acme.of(tenant), ONE, tx -> tx.call(PROVEN_PROBE, what, 7L, null));
  }

  @Test
  void passesTheProofToAFunctionThatVerifiesIt() {
    for (int i = 0; i < 10; i++) {
      assertThat(provenProbe(ANN, "proof")).isEqualTo("7 %s t".formatted(ANN));
      assertThat(provenProbe(BOB, "proof")).isEqualTo("7 %s t".formatted(BOB));
    }
  }

  @Test
  void needsNoProofInATransactionThatHasEnteredItsTenant() {
    var tenant =
        acme.transactions()
            .asTenant(Acme.of(ANN), tx -> tx.call(PROVEN_PROBE, "tenant", null, null));

    assertThat(tenant).isEqualTo(ANN.toString());
  }

  @Test
  void reportsAnErrorAndCommitsNothing() throws SQLException {
    for (int i = 0; i < 2; i++) {
      assertFails(
          ErrorCode.VALUE_REFUSED,
          () ->
              acme.transactions()
                  .asTenant(Acme.of(ANN), ONE, tx -> probe(tx, "write", null, null)));
    }

    assertThat(acme.ordersOf(ANN)).isEmpty();
    assertThat(probe(ANN, "tenant")).isEqualTo(ANN.toString());
  }

  @Test
  void respectsTheLockTimeout() throws SQLException {
    try (var other = acme.acme().database().connectAsAdministrator();
        var lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("LOCK TABLE acme.orders IN ACCESS EXCLUSIVE MODE");

      assertFails(ErrorCode.LOCK_TIMEOUT, () -> probe(ANN, "lock"));
    }
  }

  /** Before 17 the connection is broken from here, and a commit may have been under way. */
  @Test
  void respectsTheTransactionTimeout() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> probe(ANN, "wait"))
        .extracting(JobsException::code)
        .isIn(ErrorCode.TRANSACTION_TIMEOUT, ErrorCode.OUTCOME_UNKNOWN);

    assertThat(probe(ANN, "tenant")).isEqualTo(ANN.toString());
  }

  @Test
  void outcomeIsUnknownIfTheConnectionBreaks() throws Exception {
    try (var database =
            UnverifiedDatabase.open(
                DbConfig.of(
                        acme.acme().database().jdbcUrl(),
                        acme.acme().config().tenantPassword(),
                        acme.acme().config().tenantPassword())
                    .build(),
                OpenAcme.TABLES,
                acme.serverVersion());
        var administrator = acme.acme().database().connectAsAdministrator();
        var kill = administrator.createStatement()) {
      var killer =
          Thread.ofVirtual()
              .start(
                  () ->
                      await()
                          .until(
                              () ->
                                  kill.executeQuery(
                                          """
                                          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                          WHERE wait_event = 'PgSleep'
                                          """)
                                      .next()));

      assertFails(
          ErrorCode.OUTCOME_UNKNOWN,
          () ->
              database
                  .transactions()
                  .asTenant(Acme.of(ANN), ONE, tx -> probe(tx, "wait", null, null)));
      killer.join();
    }
  }

  @Test
  void escapesItsNameAndTypes() {
    var crafted =
        new DefaultDataType<>(
            SQLDialect.POSTGRES,
            JSON.class,
            "json)), (select leasehold.enter_tenant('%s', '')) --".formatted(BOB));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlatformCall.of("probe", SQLDataType.VARCHAR, crafted));
    assertThat(PlatformCall.of("a\"; b", SQLDataType.VARCHAR).sql())
        .isEqualTo("select \"leasehold\".\"a\"\"; b\"()");
  }

  // The driver would answer with objects that lead to its connection.
  @Test
  void returnsNoObjectOfTheDriver() {
    var array = new DefaultDataType<>(SQLDialect.POSTGRES, Array.class, "text");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlatformCall.of("readable_tenants", array));
  }

  // The driver would hand its own buffer to a stream.
  @Test
  void refusesAValueOfAnotherType() {
    var stream = new ByteArrayInputStream(new byte[] {1});

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                acme.transactions()
                    .asTenant(Acme.of(ANN), ONE, tx -> tx.call(PROBE, stream, 1L, null)))
        .withMessage("parameter 1 must be a String, not a java.io.ByteArrayInputStream");
  }

  @Test
  void requiresAValueForEachParameter() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> acme.transactions().asTenant(Acme.of(ANN), ONE, tx -> tx.call(PROBE, "values")))
        .withMessage("1 values for 3 parameters");
  }
}
