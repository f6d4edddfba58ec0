package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MigratorTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String IS_PLANTED = "SELECT to_regclass('planted.bill')";

  private Session administrator;

  @BeforeEach
  void connect() throws SQLException {
    administrator = new Session(database.connectAsAdministrator());
  }

  @AfterEach
  void dropModules() throws SQLException {
    administrator.run("DROP SCHEMA IF EXISTS acme, planted CASCADE");
    administrator.run("DELETE FROM leasehold.flyway_schema_history WHERE version = '999'");
    administrator.close();
  }

  private static Migrator migrator() {
    return new Migrator(TestConfig.of(database));
  }

  private static Migrator planted(String folder) {
    return migrator().and(TestConfig.planted(folder));
  }

  private void addUnknownMigration(String schema) throws SQLException {
    administrator.run(
        """
        INSERT INTO %s.flyway_schema_history
        SELECT 999, '999', 'from the future', type, 'V999__x.sql', checksum, installed_by, now(), 1, true
        FROM %1$s.flyway_schema_history WHERE version = '001'
        """
            .formatted(schema));
  }

  /** The first line is an example of docs/guide/own-tables.md. */
  @Test
  void reportsWhatItApplied() {
    var config = TestConfig.of(database);
    var first =
        new Migrator(config).and(ModuleMigrations.of("acme", "classpath:acme/migration")).migrate();
    var second = migrator().and(TestConfig.ACME).migrate();

    assertThat(first.modules().getLast())
        .isEqualTo(new Migration.Module("acme", Optional.empty(), Optional.of("003"), 3));
    assertThat(second.modules().getLast())
        .isEqualTo(new Migration.Module("acme", Optional.of("003"), Optional.of("003"), 0));
    assertThat(second.applied()).isZero();
  }

  @Test
  void reportsTheSchemaStatusToAnEngine() throws SQLException {
    var engine = new Migrator(TestConfig.as("leasehold_engine", database)).and(TestConfig.ACME);
    var before = engine.status();

    migrator().and(TestConfig.ACME).migrate();
    var current = engine.status();
    addUnknownMigration("acme");
    var ahead = engine.status();

    assertThat(before)
        .isEqualTo(new SchemaStatus.Pending(List.of("acme 001", "acme 002", "acme 003")));
    assertThat(current).isEqualTo(new SchemaStatus.Current());
    assertThat(ahead).isEqualTo(new SchemaStatus.Ahead(List.of("acme 999")));
  }

  @Test
  void reportsAMigrationThatChangedAfterItWasApplied() {
    planted("mended").migrate();

    var status = planted("backfill").status();

    assertThat(status).isEqualTo(new SchemaStatus.Changed(List.of("planted 002")));
  }

  @Test
  void reportsAMigrationThatCameAfterANewerOne() throws SQLException {
    var migrator = migrator().and(TestConfig.ACME);
    migrator.migrate();
    administrator.run("DELETE FROM acme.flyway_schema_history WHERE version = '002'");

    var status = migrator.status();

    assertThat(status).isEqualTo(new SchemaStatus.OutOfOrder(List.of("acme 002")));
    assertThatThrownBy(migrator::migrate)
        .hasMessage(
            "acme 002 came after a newer one was applied to %s: give it the next number",
            database.jdbcUrl());
  }

  @Test
  void refusesADatabaseThatIsAhead() throws SQLException {
    addUnknownMigration("leasehold");

    assertThatThrownBy(migrator()::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessage(
            "%s is ahead of this program, which does not know leasehold 999: start the newer"
                + " program",
            database.jdbcUrl());
  }

  @Test
  void rollsBackAMigrationThatLeavesATableUnprotected() throws SQLException {
    assertThatThrownBy(planted("unprotected")::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessage(
            """
            migration V001__bill.sql is refused, because of
              planted.bill: row level security is not enabled; mend it with: \
            SELECT leasehold.protect('planted.bill');\
            """);
    assertThat(administrator.ask(IS_PLANTED)).containsExactly("null");
  }

  @Test
  void findsATableThatLostItsProtection() throws SQLException {
    migrator().and(TestConfig.ACME).migrate();
    administrator.run("ALTER TABLE acme.customer DISABLE ROW LEVEL SECURITY");

    assertThatThrownBy(migrator()::migrate)
        .hasMessageContaining("acme.customer: row level security is not enabled");
  }

  @Test
  void ignoresTablesOfOtherOwners() throws SQLException {
    administrator.run("CREATE SCHEMA planted; CREATE TABLE planted.theirs (tenant_id int)");

    assertThat(migrator().migrate().applied()).isZero();
  }

  @Test
  void namesFileAndStatementOfAMigrationThatFails() throws SQLException {
    assertThatThrownBy(planted("failing")::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessage(
            "migration V001__bill.sql failed at line 5: relation \"planted.bell\" does not exist:"
                + " ALTER TABLE planted.bell ADD COLUMN paid boolean");
    assertThat(administrator.ask(IS_PLANTED)).containsExactly("null");
  }

  @Test
  void failsAStatementWhoseRowsThePoliciesWouldHide() {
    assertThatThrownBy(planted("backfill")::migrate)
        .hasMessageContaining("V002__bills_are_paid.sql")
        .hasMessageContaining("row-level security policy for table \"bill\"");
  }

  @Test
  void failsAReferenceWhoseRowsThePoliciesWouldHide() {
    assertThatThrownBy(planted("reference")::migrate)
        .hasMessageContaining("V002__bills_correct_bills.sql")
        .hasMessageContaining("row-level security policy for table \"bill\"");
  }

  @Test
  void changesRowsIfTheMigrationLiftsTheRestriction() throws SQLException {
    planted("mended").migrate();

    assertThat(administrator.ask("SELECT paid FROM planted.bill")).containsExactly("t");
  }

  @Test
  void buildsAnIndexConcurrently() throws SQLException {
    planted("concurrently").migrate();

    assertThat(administrator.ask("SELECT to_regclass('planted.bill_paid')"))
        .containsExactly("planted.bill_paid");
  }

  @Test
  void refusesAFileThatChangedAfterItWasApplied() {
    planted("mended").migrate();

    assertThatThrownBy(planted("backfill")::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("planted 002 was changed after it was applied");
  }

  @Test
  void appliesARepeatableFileAgainWhenItHasChanged() throws SQLException {
    planted("functions").migrate();
    var pending = planted("newer").status();

    var migration = planted("newer").migrate();

    assertThat(pending).isEqualTo(new SchemaStatus.Pending(List.of("planted R__rates.sql")));
    assertThat(migration.applied()).isEqualTo(1);
    assertThat(planted("newer").migrate().applied()).isZero();
    assertThat(administrator.ask("SELECT planted.rate()")).containsExactly("19");
  }

  @Test
  void doesNotRevertTheFunctionsOfANewerProgram() throws SQLException {
    planted("functions").migrate();
    planted("newer").migrate();

    assertThat(planted("functions").status())
        .isEqualTo(new SchemaStatus.Ahead(List.of("the newer planted R__rates.sql")));
    assertThatThrownBy(planted("functions")::migrate)
        .hasMessage(
            "%s is ahead of this program, which does not know the newer planted R__rates.sql:"
                + " start the newer program",
            database.jdbcUrl());
    assertThat(administrator.ask("SELECT planted.rate()")).containsExactly("19");
  }

  @Test
  void refusesAModuleInTheSchemaOfThePlatform() {
    assertThatThrownBy(() -> ModuleMigrations.of("leasehold", "classpath:acme/migration"))
        .hasMessage("schema must be the module's own, not leasehold");
  }

  @Test
  void refusesTwoModulesInOneSchema() {
    var migrator = migrator().and(TestConfig.ACME);

    assertThatThrownBy(() -> migrator.and(TestConfig.ACME))
        .hasMessage("schema must be the module's own, not acme");
  }

  @Test
  void refusesALocationWithoutFiles() {
    assertThatThrownBy(planted("nothing")::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("planted/nothing");
  }

  @Test
  void reportsAWrongPassword() {
    var config = new MigrationConfig(database.jdbcUrl(), "leasehold_owner", "wrong", Map.of());

    assertThatThrownBy(new Migrator(config)::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessage("wrong password for leasehold_owner at %s", database.jdbcUrl());
    assertThatThrownBy(new Migrator(config)::status).hasMessageContaining("wrong password");
  }

  @Test
  void reportsAnUnreachableServer() {
    var config =
        new MigrationConfig("jdbc:postgresql://localhost:1/postgres", "anyone", "", Map.of());

    assertThatThrownBy(new Migrator(config)::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessageStartingWith("cannot reach jdbc:postgresql://localhost:1/postgres: ");
  }

  @Test
  void reportsAMissingDatabase() {
    var url = database.jdbcUrl().replaceFirst("[^/]*$", "nowhere");
    var config = new MigrationConfig(url, "leasehold_owner", TestDatabase.PASSWORD, Map.of());

    assertThatThrownBy(new Migrator(config)::migrate)
        .hasMessage("there is no database %s: create it first", url);
  }

  @Test
  void keepsSecretsOutOfItsMessages() {
    var config =
        new MigrationConfig(
            database.jdbcUrl() + "?sslpassword=hidden", "leasehold_owner", "hidden", Map.of());

    assertThat(config.toString()).doesNotContain("hidden");
    assertThatThrownBy(new Migrator(config)::migrate).hasMessageNotContaining("hidden");
  }
}
