package io.leasehold.arch;

import static io.leasehold.arch.Planted.assertCaught;
import static io.leasehold.arch.Planted.assertPasses;
import static io.leasehold.arch.Planted.compiled;

import io.leasehold.arch.planted.DslUse;
import io.leasehold.arch.planted.JdbcUse;
import io.leasehold.arch.planted.PlainSqlUse;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseRulesTest {

  private static final String TRANSACTIONS =
      """
      package io.leasehold.db;
      public interface Transactions {
        void asEngine(Runnable work);
        void asTenant(Runnable work);
        default void asEngine() { asEngine(() -> {}); }
      }
      """;

  @ParameterizedTest
  @ValueSource(
      classes = {
        PlainSqlUse.FetchesString.class,
        PlainSqlUse.FetchesStringFromTheImplementation.class,
        PlainSqlUse.FiltersByString.class,
        PlainSqlUse.FiltersInLambda.class,
        PlainSqlUse.TakesReference.class,
        PlainSqlUse.WritesRawText.class,
        PlainSqlUse.WritesTemplate.class,
        PlainSqlUse.CallsFunctionAsAggregate.class,
        PlainSqlUse.WritesKeyword.class,
        PlainSqlUse.NamesWithoutQuotes.class,
        PlainSqlUse.TakesQuotesOff.class,
        PlainSqlUse.AddsHints.class,
        PlainSqlUse.AddsOptions.class,
        PlainSqlUse.IndentsText.class,
        PlainSqlUse.ReplacesStatements.class,
        PlainSqlUse.ParsesTables.class,
        PlainSqlUse.DefinesViews.class,
        PlainSqlUse.MakesNumbersOfText.class,
        PlainSqlUse.ChecksText.class,
        PlainSqlUse.NamesTypes.class,
        PlainSqlUse.GivesHints.class,
        PlainSqlUse.RendersByHand.class,
        PlainSqlUse.AppendsText.class
      })
  void catchesPlainSql(Class<?> violation) {
    assertCaught(DatabaseRules.noPlainSql(), violation);
  }

  @Test
  void allowsTheDsl() {
    assertPasses(DatabaseRules.noPlainSql(), PlainSqlUse.SpeaksTheDsl.class);
  }

  @Test
  void skipsExemptPlaces() {
    assertPasses(
        DatabaseRules.noPlainSql(PlainSqlUse.class.getName()),
        PlainSqlUse.FetchesString.class,
        JdbcUse.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        JdbcUse.OpensConnections.class,
        JdbcUse.HoldsDataSource.class,
        JdbcUse.ListsDataSources.class,
        JdbcUse.CatchesSqlExceptions.class,
        JdbcUse.ConfiguresPool.class,
        JdbcUse.UsesDriverTypes.class,
        JdbcUse.PassesConnectionsOn.class
      })
  void catchesJdbc(Class<?> violation) {
    assertCaught(DatabaseRules.noJdbc(), violation);
  }

  @Test
  void allowsJooqsExceptions() {
    assertPasses(DatabaseRules.noJdbc(), JdbcUse.CatchesJooqExceptions.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        DslUse.MakesItsOwn.class,
        DslUse.MakesTheImplementation.class,
        DslUse.ReachesTheConnection.class,
        DslUse.ReachesTheConnectionForResult.class,
        DslUse.Parses.class,
        DslUse.DerivesConfiguration.class,
        DslUse.Configures.class
      })
  void catchesOtherDsls(Class<?> violation) {
    assertCaught(DatabaseRules.noOwnDsl(), violation);
  }

  @Test
  void allowsTheScopedDsl() {
    assertPasses(DatabaseRules.noOwnDsl(), DslUse.TakesTheScopedOne.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void go(io.leasehold.db.Transactions t) { t.asEngine(() -> {}); }",
        "java.util.function.Consumer<Runnable> go(io.leasehold.db.Transactions t) {"
            + " return t::asEngine; }",
        "interface Own extends io.leasehold.db.Transactions {} void go(Own t) { t.asEngine(null); }"
      })
  void catchesTransactionsAsEngine(String call, @TempDir Path folder) throws IOException {
    var classes = compiled(folder, TRANSACTIONS, "package a; class Sees { %s }".formatted(call));

    assertCaught(DatabaseRules.asEngineOnlyIn("io.leasehold.engine.."), classes, "a.Sees");
  }

  @Test
  void allowsTransactionsOfTheEngineAndOfTenants(@TempDir Path folder) throws IOException {
    var classes =
        compiled(
            folder,
            TRANSACTIONS,
            """
            package io.leasehold.engine;
            class Engine { void go(io.leasehold.db.Transactions t) { t.asEngine(() -> {}); } }
            """,
            """
            package a;
            class Tenant { void go(io.leasehold.db.Transactions t) { t.asTenant(() -> {}); } }
            """);

    DatabaseRules.asEngineOnlyIn("io.leasehold.engine..").check(classes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.leasehold.db.SecureDatabase",
        "io.leasehold.db.SecureDbModule",
        "io.leasehold.migrations.Migrator",
        "io.leasehold.migrations.MigrationConfig",
        "io.leasehold.embedded.EmbeddedServer",
        "io.leasehold.testkit.TestDatabase"
      })
  void catchesOpenedDatabases(String type, @TempDir Path folder) throws IOException {
    var classes =
        compiled(folder, opener(type), "class Opens { void go() { %s.of(); } }".formatted(type));

    assertCaught(DatabaseRules.noOwnDatabase("io.leasehold.."), classes, "Opens");
  }

  @Test
  void allowsProgramsAndTransactions(@TempDir Path folder) throws IOException {
    var classes =
        compiled(
            folder,
            TRANSACTIONS,
            opener("io.leasehold.db.SecureDatabase"),
            "package a; class Main { void go() { io.leasehold.db.SecureDatabase.of(); } }",
            "package a; class Tenant { void go(io.leasehold.db.Transactions t) { t.asTenant(null);"
                + " } }");

    DatabaseRules.noOwnDatabase("io.leasehold..", "a.Main").check(classes);
  }

  private static String opener(String type) {
    var dot = type.lastIndexOf('.');
    return "package %s; public class %s { public static void of() {} }"
        .formatted(type.substring(0, dot), type.substring(dot + 1));
  }
}
