package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another application lives in the same database. */
class ForeignSchemaTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String THEIRS =
      "CREATE SCHEMA theirs; CREATE TABLE theirs.client (tenant_id int PRIMARY KEY, name text);";
  private static final String ONE =
      "FUNCTION theirs.one() RETURNS int SECURITY DEFINER LANGUAGE sql RETURN 1;";

  @BeforeAll
  static void migrateModule() throws SQLException {
    new Migrator(TestConfig.of(database)).and(TestConfig.ACME).migrate();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "ALTER TABLE theirs.client ALTER COLUMN tenant_id TYPE bigint",
        "CREATE TABLE theirs.note (tenant_id uuid); CREATE UNLOGGED TABLE theirs.memo"
            + " (tenant_id uuid NOT NULL, id bigint UNIQUE)",
        "GRANT ALL ON theirs.client TO PUBLIC",
        "GRANT SELECT (name) ON theirs.client TO PUBLIC",
        "CREATE SEQUENCE theirs.numbers; GRANT ALL ON SEQUENCE theirs.numbers TO PUBLIC",
        "CREATE RULE keep AS ON DELETE TO theirs.client DO INSTEAD NOTHING",
        "CREATE VIEW theirs.names AS SELECT name FROM theirs.client;"
            + "GRANT SELECT ON theirs.names TO PUBLIC",
        "CREATE MATERIALIZED VIEW theirs.names AS SELECT name FROM theirs.client;"
            + "GRANT SELECT ON theirs.names TO PUBLIC",
        "CREATE VIEW public.names AS SELECT name FROM theirs.client",
        "CREATE " + ONE,
        "CREATE FUNCTION theirs.fire() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql"
            + " AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER fire BEFORE INSERT ON theirs.client"
            + " FOR EACH ROW EXECUTE FUNCTION theirs.fire()",
        "CREATE FUNCTION theirs.tell(text) RETURNS boolean LEAKPROOF LANGUAGE sql RETURN true",
        "GRANT CREATE ON SCHEMA theirs TO PUBLIC",
        "CREATE ROLE them; GRANT USAGE ON SCHEMA theirs TO them; GRANT ALL ON theirs.client TO them"
      })
  void hasNoFindings(String sql) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(THEIRS + sql);

      var found = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(found).isEmpty();
    }
  }

  @Test
  void remedyRevokesOurUsageAndNotThePublicGrant() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(THEIRS + "GRANT SELECT ON theirs.client TO PUBLIC");
      session.run("GRANT USAGE ON SCHEMA theirs TO leasehold_tenant");

      var remedies = session.ask("SELECT remedy FROM leasehold.isolation_findings()");

      assertThat(remedies).containsExactly("REVOKE USAGE ON SCHEMA theirs FROM leasehold_tenant;");
    }
  }

  @Test
  void remedyKeepsPublicGrantsAndRevokesOurs() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(THEIRS + "GRANT SELECT ON theirs.client TO PUBLIC, leasehold_tenant");

      var remedies = session.ask("SELECT remedy FROM leasehold.isolation_findings()");

      assertThat(remedies).containsExactly("REVOKE ALL ON theirs.client FROM leasehold_tenant;");
    }
  }

  @Test
  void remedyRevokesUsageOfTheSchemaAndKeepsFunctions() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(THEIRS + "CREATE " + ONE);
      session.run("GRANT USAGE ON SCHEMA theirs TO leasehold_tenant");

      var remedies = session.ask("SELECT DISTINCT remedy FROM leasehold.isolation_findings()");

      assertThat(remedies).containsExactly("REVOKE USAGE ON SCHEMA theirs FROM leasehold_tenant;");
    }
  }

  @Test
  void functionsAreUnchanged() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(THEIRS + "CREATE " + ONE);
      session.run("REVOKE ALL ON FUNCTION theirs.one() FROM PUBLIC");
      session.run("GRANT EXECUTE ON FUNCTION theirs.one() TO leasehold_tenant");
      session.run("GRANT USAGE ON SCHEMA theirs TO leasehold_tenant");

      var remedies = session.ask("SELECT DISTINCT remedy FROM leasehold.isolation_findings()");

      assertThat(remedies)
          .containsExactly("REVOKE EXECUTE ON ROUTINE theirs.one() FROM leasehold_tenant;");
    }
  }
}
