package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MirrorTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String FINDINGS = "SELECT f::text FROM leasehold.isolation_findings() AS f";
  private static final String GRANTS =
      "SELECT privilege || of_columns FROM leasehold.examined_grant"
          + " WHERE name = 'acme.run' AND grantee = to_regrole('leasehold_engine') ORDER BY 1";
  private static final String DECLARATION =
      "SELECT leasehold.mirror('acme.run', id => 'id', status => 'status', error => 'error')";

  private Session owner;

  @BeforeEach
  void createTable() throws SQLException {
    owner = new Session(database.connectAs("leasehold_owner")).begin();
    owner.run("CREATE SCHEMA acme");
    owner.run(
        "CREATE TABLE acme.run (tenant_id uuid NOT NULL, id uuid NOT NULL, name text, status text,"
            + " error text, started_at timestamptz, n int, PRIMARY KEY (tenant_id, id))");
    owner.ask("SELECT leasehold.protect('acme.run')");
  }

  @AfterEach
  void rollBack() throws SQLException {
    owner.close();
  }

  @Test
  void theEngineGetsOnlyTheDeclaredColumns() throws SQLException {
    owner.ask(DECLARATION);

    assertThat(owner.ask(GRANTS))
        .containsExactly("SELECT (id)", "SELECT (tenant_id)", "UPDATE (error)", "UPDATE (status)");
    assertThat(owner.ask(FINDINGS)).isEmpty();
  }

  @Test
  void aDeclarationWithFewerColumnsRevokesTheOthers() throws SQLException {
    owner.ask(DECLARATION);

    owner.ask("SELECT leasehold.mirror('acme.run', id => 'id', status => 'status')");

    assertThat(owner.ask(GRANTS))
        .containsExactly("SELECT (id)", "SELECT (tenant_id)", "UPDATE (status)");
    assertThat(owner.ask(FINDINGS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT (name)",
        "SELECT (status)",
        "UPDATE (name)",
        "UPDATE (tenant_id)",
        "SELECT",
        "UPDATE",
        "DELETE",
        "INSERT"
      })
  void anExtraRightIsFound(String right) throws SQLException {
    owner.ask(DECLARATION);

    owner.run("GRANT %s ON acme.run TO leasehold_engine".formatted(right));

    assertThat(owner.ask("SELECT rule || ' ' || problem FROM leasehold.isolation_findings()"))
        .containsExactly("engine-beyond-queue leasehold_engine has " + right);
  }

  @Test
  void theEngineSeesRowsAndUpdatesThem() throws SQLException {
    owner.ask(DECLARATION);
    owner.run("ALTER TABLE acme.run NO FORCE ROW LEVEL SECURITY");
    owner.run("INSERT INTO acme.run VALUES ('%s', gen_random_uuid())".formatted(Session.TENANT));
    owner.run("ALTER TABLE acme.run FORCE ROW LEVEL SECURITY");
    assertThat(owner.ask("SELECT id FROM acme.run")).isEmpty();

    owner.run("SET LOCAL ROLE leasehold_engine");

    assertThat(owner.ask("UPDATE acme.run SET status = 'running' RETURNING tenant_id"))
        .containsExactly(Session.TENANT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id => 'id', status => 'state' | it has no column \"state\" that can be written",
        "id => 'id', status => 'n' | its column \"n\" must be text or character varying, not"
            + " integer",
        "id => 'n', status => 'status' | it must have a unique key (tenant_id, n)",
        "id => 'id', status => 'status', started_at => 'name' | its column \"name\" must be"
            + " timestamp with time zone, not text",
        "id => 'id', status => 'status', error => 'status' | each column must be named once",
      })
  void aTableThatDoesNotFitIsRefused(String columns, String problem) {
    assertThatThrownBy(
            () -> owner.ask("SELECT leasehold.mirror('acme.run', %s)".formatted(columns)))
        .hasMessageContaining("acme.run cannot be a mirror: " + problem);
  }

  @Test
  void aTableThatIsNotProtectedIsRefused() throws SQLException {
    owner.run("ALTER TABLE acme.run NO FORCE ROW LEVEL SECURITY");

    assertThatThrownBy(() -> owner.ask(DECLARATION))
        .hasMessageContaining("it must be protected by leasehold.protect first");
  }

  @Test
  void aRuleThatIsCheckedAtTheCommitIsRefused() throws SQLException {
    owner.run(
        "CREATE TABLE acme.status (tenant_id uuid NOT NULL, name text,"
            + " PRIMARY KEY (tenant_id, name))");
    owner.run(
        "ALTER TABLE acme.run ADD FOREIGN KEY (tenant_id, status) REFERENCES acme.status"
            + " INITIALLY DEFERRED");

    assertThatThrownBy(() -> owner.ask(DECLARATION)).hasMessageContaining("INITIALLY DEFERRED");
  }

  @Test
  void protectingAMirrorAgainKeepsItAMirror() throws SQLException {
    owner.ask(DECLARATION);

    owner.ask("SELECT leasehold.protect('acme.run')");

    assertThat(owner.ask(FINDINGS)).isEmpty();
    assertThat(
            owner.ask(
                "SELECT polname FROM pg_policy WHERE polrelid = 'acme.run'::regclass"
                    + " AND polname LIKE 'engine%' ORDER BY 1"))
        .containsExactly("engine_finds_mirrors", "engine_writes_mirrors");
  }
}
