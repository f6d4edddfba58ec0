package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.DbConfig;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Secret;
import io.leasehold.db.TenantWork;
import io.leasehold.db.UnverifiedDatabase;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a statement, or a connection, is refused with. */
class ErrorCodesTest {

  @RegisterExtension
  static final OpenAcme acme =
      new OpenAcme(limits -> limits.tenantConnections(1).connectTimeout(Duration.ofMillis(300)));

  private final SecurityContext ann = Acme.of(ANN);

  @BeforeEach
  void noOrders() throws SQLException {
    acme.acme().execute("DELETE FROM acme.orders; DELETE FROM acme.customer");
  }

  record Refused(ErrorCode code, String why, TenantWork<?, RuntimeException> work) {
    @Override
    public String toString() {
      return why;
    }
  }

  static Stream<Refused> refused() {
    return Stream.of(
        new Refused(ErrorCode.KEY_TAKEN, "unique key", tx -> order(tx, "x") + order(tx, "x")),
        new Refused(ErrorCode.REFERENCE_BROKEN, "no such parent", ErrorCodesTest::orderForNobody),
        new Refused(ErrorCode.REFERENCE_BROKEN, "parent in use", ErrorCodesTest::deleteAParent),
        new Refused(
            ErrorCode.VALUE_REFUSED,
            "not null",
            tx -> tx.insert(ORDERS).set(ORDERS.CODE, val((String) null)).execute()),
        new Refused(
            ErrorCode.VALUE_REFUSED,
            "division by zero",
            tx -> tx.dsl().select(val(1).div(inline(0))).fetch()),
        new Refused(
            ErrorCode.VALUE_REFUSED,
            "no such date",
            tx -> tx.dsl().select(val("30 February").cast(LocalDate.class)).fetch()));
  }

  private static int orderForNobody(ScopedTransaction tx) {
    return tx.insert(ORDERS)
        .set(ORDERS.CODE, "x")
        .set(ORDERS.CUSTOMER_ID, UUID.randomUUID())
        .execute();
  }

  private static int deleteAParent(ScopedTransaction tx) {
    var id = UUID.randomUUID();
    tx.insert(CUSTOMER).set(CUSTOMER.ID, id).set(CUSTOMER.NAME, "c").execute();
    tx.insert(ORDERS).set(ORDERS.CODE, "x").set(ORDERS.CUSTOMER_ID, id).execute();
    return tx.delete(CUSTOMER).where(CUSTOMER.ID.eq(id)).execute();
  }

  @ParameterizedTest
  @MethodSource("refused")
  void nameTheFaultOfAStatement(Refused refused) {
    assertFails(refused.code, () -> acme.transactions().asTenant(ann, refused.work));
  }

  @Test
  void nameARuleThatIsCheckedAtTheCommit() throws SQLException {
    acme.acme()
        .execute(
            """
            ALTER TABLE acme.orders
              ALTER CONSTRAINT orders_of_customer DEFERRABLE INITIALLY DEFERRED
            """);

    assertFails(
        ErrorCode.REFERENCE_BROKEN,
        () -> acme.transactions().asTenant(ann, ErrorCodesTest::orderForNobody));
    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void nameAnExhaustedPool() throws SQLException {
    try (var other = acme.openAt(acme.acme().database().jdbcUrl())) {
      assertFails(
          ErrorCode.POOL_EXHAUSTED,
          () ->
              other
                  .transactions()
                  .asTenant(
                      ann,
                      tx -> {
                        order(tx, "holds the only connection");
                        return Threads.inAnother(
                            () ->
                                other
                                    .transactions()
                                    .asTenant(ann, waiting -> order(waiting, "waits")));
                      }));
    }
  }

  /** The server answers, and cannot do its work. */
  @ParameterizedTest
  @CsvSource({
    "25006, DATABASE_READ_ONLY",
    "25001, DATABASE_DEGRADED",
    "53100, DATABASE_FULL",
    "53200, DATABASE_DEGRADED",
    "53300, POOL_EXHAUSTED",
    "58030, DATABASE_DEGRADED",
    "57000, DATABASE_UNREACHABLE",
    "55000, DATABASE_DEGRADED",
    "XX000, DATABASE_DEGRADED"
  })
  void nameAServerThatCannotAnswer(String state, ErrorCode code) throws SQLException {
    acme.acme()
        .execute(
            """
            CREATE OR REPLACE FUNCTION acme.fail() RETURNS trigger LANGUAGE plpgsql AS
              $$BEGIN RAISE EXCEPTION USING ERRCODE = '%s', MESSAGE = 'as if'; END$$;
            CREATE TRIGGER fail BEFORE INSERT ON acme.orders EXECUTE FUNCTION acme.fail()
            """
                .formatted(state));
    try {
      assertFails(code, () -> acme.transactions().asTenant(ann, tx -> order(tx, "x")));
    } finally {
      acme.acme().execute("DROP TRIGGER fail ON acme.orders");
    }
  }

  /** The same value is never taken. */
  @ParameterizedTest
  @CsvSource({
    "0A000, VALUE_REFUSED",
    "21000, VALUE_REFUSED",
    "22001, VALUE_REFUSED",
    "23514, VALUE_REFUSED",
    "54000, VALUE_REFUSED",
    "42501, STATEMENT_FAILED",
    "P0001, STATEMENT_FAILED"
  })
  void nameAServersRefusal(String state, ErrorCode code) throws SQLException {
    nameAServerThatCannotAnswer(state, code);
  }

  /** An error that the server answers a commit with came before it. */
  @Test
  void nameAFullDiskDuringADeferredCheck() throws SQLException {
    acme.acme()
        .execute(
            """
            CREATE OR REPLACE FUNCTION acme.fail() RETURNS trigger LANGUAGE plpgsql AS
              $$BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'as if'; END$$;
            CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON acme.orders
              DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION acme.fail()
            """);
    try {
      assertFails(
          ErrorCode.DATABASE_FULL, () -> acme.transactions().asTenant(ann, tx -> order(tx, "x")));
    } finally {
      acme.acme().execute("DROP TRIGGER fail ON acme.orders");
    }
    assertThat(acme.ordersOf(ANN)).isEmpty();
  }

  @Test
  void hideStatementsInsideFunctions() throws SQLException {
    acme.acme()
        .execute(
            """
            CREATE OR REPLACE FUNCTION acme.fail() RETURNS trigger LANGUAGE plpgsql AS
              $$BEGIN PERFORM 1 / 0 AS a_part_of_a_statement; END$$;
            CREATE TRIGGER fail BEFORE INSERT ON acme.orders EXECUTE FUNCTION acme.fail()
            """);
    try {
      assertThatThrownBy(() -> acme.transactions().asTenant(ann, tx -> order(tx, "x")))
          .hasMessage("value_refused: ERROR: division by zero");
    } finally {
      acme.acme().execute("DROP TRIGGER fail ON acme.orders");
    }
  }

  /** The server refuses all logins, for reasons that have different SQLSTATEs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER DATABASE %s ALLOW_CONNECTIONS false | DATABASE_UNREACHABLE",
        "ALTER DATABASE %s CONNECTION LIMIT 0 | POOL_EXHAUSTED",
        "REVOKE CONNECT ON DATABASE %s FROM PUBLIC | DATABASE_UNREACHABLE",
        "ALTER ROLE leasehold_tenant IN DATABASE %s SET session_preload_libraries = 'nope'"
            + " | DATABASE_UNREACHABLE"
      })
  void nameARefusedLogin(String fault, ErrorCode code) throws SQLException {
    var url = acme.acme().database().jdbcUrl();
    var closed = "closed_" + UUID.randomUUID().toString().substring(0, 8);
    acme.acme().execute("CREATE DATABASE " + closed);
    try (var database = acme.openAt(url.substring(0, url.lastIndexOf('/') + 1) + closed)) {
      acme.acme().execute(fault.formatted(closed));

      assertFails(code, () -> database.transactions().asTenant(ann, tx -> order(tx, "x")));
    } finally {
      acme.acme().execute("DROP DATABASE " + closed);
    }
  }

  @Test
  void nameAnUnreachableHost() throws SQLException {
    try (var nowhere = acme.openAt("jdbc:postgresql://localhost:1/nowhere")) {
      assertFails(
          ErrorCode.DATABASE_UNREACHABLE,
          () -> nowhere.transactions().asTenant(ann, tx -> order(tx, "x")));
    }
  }

  @Test
  void nameAMissingDatabase() throws SQLException {
    var url = acme.acme().database().jdbcUrl();
    try (var missing = acme.openAt(url.substring(0, url.lastIndexOf('/')) + "/missing")) {
      assertFails(
          ErrorCode.DATABASE_UNREACHABLE,
          () -> missing.transactions().asTenant(ann, tx -> order(tx, "x")));
    }
  }

  @Test
  void nameAWrongPassword() throws SQLException {
    var wrong = new Secret("wrong");
    var config =
        DbConfig.of(acme.acme().database().jdbcUrl(), wrong, wrong)
            .connectTimeout(Duration.ofMillis(300))
            .build();
    try (var database = UnverifiedDatabase.open(config, OpenAcme.TABLES, acme.serverVersion())) {
      assertFails(
          ErrorCode.DATABASE_UNREACHABLE,
          () -> database.transactions().asTenant(ann, tx -> order(tx, "x")));
    }
  }
}
