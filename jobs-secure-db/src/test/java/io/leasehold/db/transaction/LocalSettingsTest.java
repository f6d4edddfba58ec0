package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.OpenAcme.setting;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.TableDeclaration;
import io.leasehold.db.Transactions;
import io.leasehold.db.UnverifiedDatabase;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.util.HashSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A module's own settings hold for one transaction, and no other setting can be set. */
class LocalSettingsTest {

  private static final String REGION = "acme.region";

  /** One connection: each transaction follows the one before on it. */
  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  private static UnverifiedDatabase database;

  private final SecurityContext ann = Acme.of(ANN);

  @BeforeAll
  static void open() throws SQLException {
    var declared = new HashSet<>(OpenAcme.TABLES);
    declared.add(new TableDeclaration.Setting(REGION));
    database =
        UnverifiedDatabase.open(
            acme.config(acme.acme().database().jdbcUrl()), declared, acme.serverVersion());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static Transactions transactions() {
    return database.transactions();
  }

  @Test
  void aSettingAppliesFromTheFirstStatementToTheEnd() throws SQLException {
    var seen =
        transactions()
            .asTenant(
                ann,
                tx -> {
                  tx.localSetting(REGION, "north; it's \"\\ ☃");
                  order(tx, "with a setting");
                  return setting(tx, REGION);
                });

    assertThat(seen).isEqualTo("north; it's \"\\ ☃");
    assertThat(acme.ordersOf(ANN)).contains("with a setting");
    assertNextTransactionSeesNothing();
  }

  @Test
  void aSettingIsSetAgainAfterOtherStatements() {
    var seen =
        transactions()
            .asTenant(
                ann,
                tx -> {
                  order(tx, "before a setting");
                  tx.localSetting(REGION, "north");
                  tx.localSetting(REGION, "south");
                  return setting(tx, REGION);
                });

    assertThat(seen).isEqualTo("south");
    assertNextTransactionSeesNothing();
  }

  @Test
  void aSettingEndsWithARollback() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                transactions()
                    .asTenant(
                        ann,
                        tx -> {
                          tx.localSetting(REGION, "north");
                          throw new IllegalStateException("rolled back");
                        }));

    assertNextTransactionSeesNothing();
  }

  @Test
  void aSettingIsUndoneWithItsSavepoint() {
    var seen =
        transactions()
            .asTenant(
                ann,
                tx -> {
                  tx.localSetting(REGION, "north");
                  assertThatIllegalStateException()
                      .isThrownBy(
                          () ->
                              tx.savepoint(
                                  part -> {
                                    part.localSetting(REGION, "south");
                                    throw new IllegalStateException("undone");
                                  }));
                  return setting(tx, REGION);
                });

    assertThat(seen).isEqualTo("north");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "acme.other",
        "acme.Region",
        "acme.region ",
        "acme",
        "",
        "role",
        "session_authorization",
        "search_path",
        "row_security",
        "statement_timeout",
        "backtrace_functions",
        "standard_conforming_strings",
        "leasehold.tenants",
        "leasehold.seal",
        "plpgsql.variable_conflict",
        "acme.region', 'x', false); --"
      })
  void aSettingThatNoModuleDeclaredIsRefusedBeforeItIsSent(String name) {
    var seen =
        transactions()
            .asTenant(
                ann,
                tx -> {
                  tx.localSetting(REGION, "north");
                  assertFails(ErrorCode.STATEMENT_REFUSED, () -> tx.localSetting(name, "on"));
                  return setting(tx, REGION);
                });

    assertThat(seen).isEqualTo("north");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "region",
        "statement_timeout",
        "Acme.region",
        "acme.region.north",
        "acme.",
        ".region",
        "acme region",
        "1acme.region",
        "leasehold.tenants",
        "leasehold.region",
        "plpgsql.check_asserts",
        "auto_explain.log_min_duration",
        "pg_stat_statements.track"
      })
  void aReservedSettingCannotBeDeclared(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TableDeclaration.Setting(name))
        .withMessageContaining("setting " + name);
  }

  @Test
  void theLengthOfASettingIsLimited() {
    transactions()
        .asTenant(
            ann,
            tx -> {
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> tx.localSetting(REGION, "n".repeat(1_001)))
                  .withMessageContaining("1001");
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> tx.localSetting(REGION, "a\0b"));
              tx.localSetting(REGION, "\ud83d\ude00".repeat(1_000));
              return setting(tx, REGION);
            });
  }

  @Test
  void aSettingIsRefusedAfterTheTransaction() {
    var kept = transactions().asTenant(ann, tx -> tx);

    assertThatIllegalStateException().isThrownBy(() -> kept.localSetting(REGION, "north"));
  }

  // The server keeps the name of a setting that was set once, and an empty text for its value.
  private void assertNextTransactionSeesNothing() {
    String seen = transactions().asTenant(ann, tx -> setting(tx, REGION));
    assertThat(seen).isNullOrEmpty();
  }
}
