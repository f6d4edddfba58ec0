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
import org.junit.jupiter.params.provider.ValueSource;

class ProtectTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String FINDINGS = "SELECT f::text FROM leasehold.isolation_findings() AS f";
  private static final String POLICIES =
      "SELECT definition FROM leasehold.examined_policy WHERE relation = 'acme.note'::regclass"
          + " ORDER BY 1";

  private Session owner;

  @BeforeEach
  void beginAsOwner() throws SQLException {
    owner = new Session(database.connectAs("leasehold_owner")).begin();
    owner.run("CREATE SCHEMA acme");
    owner.run("GRANT USAGE ON SCHEMA acme TO leasehold_tenant, leasehold_engine");
  }

  @AfterEach
  void rollBack() throws SQLException {
    owner.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE acme.note (id int)",
        "CREATE TABLE acme.note (tenant_id uuid)",
        "CREATE TABLE acme.note (tenant_id text NOT NULL)",
        "CREATE VIEW acme.note AS SELECT gen_random_uuid() AS tenant_id"
      })
  void refusesATableWithoutATenantColumn(String creation) throws SQLException {
    owner.run(creation);

    assertThatThrownBy(() -> owner.ask("SELECT leasehold.protect('acme.note')"))
        .hasMessageContaining(
            "acme.note must be a table with a column \"tenant_id uuid NOT NULL\"");
  }

  @Test
  void refusesTheTableOfAnotherOwner() throws SQLException {
    try (var administrator = new Session(database.connectAsAdministrator()).begin()) {
      administrator.run("CREATE TABLE public.theirs (tenant_id uuid NOT NULL)");
      administrator.run("SET LOCAL ROLE leasehold_owner");

      assertThatThrownBy(() -> administrator.ask("SELECT leasehold.protect('public.theirs')"))
          .hasMessageContaining("must be owner of table theirs");
    }
  }

  @Test
  void leavesNoFindings() throws SQLException {
    owner.run("CREATE TABLE acme.\"Odd name\" (tenant_id uuid NOT NULL, id uuid PRIMARY KEY)");

    owner.ask("SELECT leasehold.protect('acme.\"Odd name\"')");

    assertThat(owner.ask(FINDINGS + " WHERE object LIKE 'acme.%'")).isEmpty();
  }

  @Test
  void changesNothingWhenRepeated() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL)");
    owner.ask("SELECT leasehold.protect('acme.note', for_engine => true)");
    var before = owner.ask(POLICIES);

    owner.ask("SELECT leasehold.protect('acme.note', for_engine => true)");

    assertThat(owner.ask(POLICIES)).hasSize(5).isEqualTo(before);
  }

  @Test
  void removesTheEnginesPolicyIfNoLongerRequested() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL)");
    owner.ask("SELECT leasehold.protect('acme.note', for_engine => true)");

    owner.ask("SELECT leasehold.protect('acme.note')");

    assertThat(owner.ask(POLICIES)).hasSize(4).noneMatch(it -> it.contains("engine_does_all"));
  }

  @Test
  void remedyKeepsTheEnginesPolicy() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL)");
    owner.ask("SELECT leasehold.protect('acme.note', for_engine => true)");
    owner.run("ALTER TABLE acme.note NO FORCE ROW LEVEL SECURITY");

    var remedy = owner.ask("SELECT remedy FROM leasehold.isolation_findings()");

    assertThat(remedy).containsExactly("SELECT leasehold.protect('acme.note', true);");
  }

  @Test
  void protectsPartitionsOfPartitions() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL, at int) PARTITION BY LIST (at)");
    owner.run("CREATE TABLE acme.a PARTITION OF acme.note DEFAULT PARTITION BY LIST (at)");
    owner.run("CREATE TABLE acme.b PARTITION OF acme.a DEFAULT");

    owner.ask("SELECT leasehold.protect('acme.note')");

    assertThat(
            owner.ask(
                "SELECT count(*) FROM pg_class WHERE relforcerowsecurity AND relname IN"
                    + " ('note', 'a', 'b')"))
        .containsExactly("3");
  }

  @Test
  void laterPartitionsAreFoundAndProtected() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL, at int) PARTITION BY LIST (at)");
    owner.ask("SELECT leasehold.protect('acme.note')");
    owner.run("CREATE TABLE acme.late (tenant_id uuid NOT NULL, at int)");
    owner.run("ALTER TABLE acme.note ATTACH PARTITION acme.late DEFAULT");
    var found = owner.ask("SELECT object FROM leasehold.isolation_findings()");

    owner.ask("SELECT leasehold.protect('acme.note')");

    assertThat(found).containsExactly("acme.late");
    assertThat(owner.ask(FINDINGS)).isEmpty();
  }

  @Test
  void revokesRightsThatBypassThePolicies() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL, id uuid PRIMARY KEY)");
    owner.run("GRANT ALL ON acme.note TO leasehold_tenant, leasehold_engine, PUBLIC");
    owner.run("GRANT REFERENCES (id) ON acme.note TO leasehold_tenant");
    owner.run("GRANT SELECT (id) ON acme.note TO PUBLIC");

    owner.ask("SELECT leasehold.protect('acme.note')");

    assertThat(
            owner.ask(
                "SELECT DISTINCT privilege FROM leasehold.examined_grant"
                    + " WHERE name = 'acme.note' AND grantee <> owner ORDER BY 1"))
        .containsExactly("DELETE", "INSERT", "SELECT", "UPDATE");
  }

  @Test
  void refusesToShareATableWithTenants() throws SQLException {
    owner.run("CREATE TABLE acme.note (tenant_id uuid NOT NULL)");

    assertThatThrownBy(() -> owner.ask("SELECT leasehold.share('acme.note')"))
        .hasMessageContaining("acme.note has a tenant_id and cannot be shared: protect it");
  }

  @Test
  void hasNoFindingsForASharedTable() throws SQLException {
    owner.run("CREATE TABLE acme.country (code text PRIMARY KEY)");
    owner.run("GRANT ALL ON acme.country TO leasehold_tenant");

    owner.ask("SELECT leasehold.share('acme.country')");
    owner.ask("SELECT leasehold.share('acme.country')");

    assertThat(owner.ask(FINDINGS)).isEmpty();
  }

  @Test
  void hidesRowsOfTheEngineFromTheOwner() throws SQLException {
    owner.run("CREATE TABLE acme.queue (tenant_id uuid NOT NULL)");
    owner.run("INSERT INTO acme.queue VALUES ('%s')".formatted(Session.TENANT));
    owner.run("GRANT SELECT ON acme.queue TO leasehold_engine");

    owner.ask("SELECT leasehold.protect('acme.queue', for_engine => true)");

    assertThat(owner.ask("SELECT tenant_id FROM acme.queue")).isEmpty();
    owner.run("SET LOCAL ROLE leasehold_engine");
    assertThat(owner.ask("SELECT tenant_id FROM acme.queue")).containsExactly(Session.TENANT);
  }
}
