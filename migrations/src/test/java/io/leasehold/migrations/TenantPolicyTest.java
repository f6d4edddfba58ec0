package io.leasehold.migrations;

import static io.leasehold.migrations.Session.OTHER;
import static io.leasehold.migrations.Session.TENANT;
import static io.leasehold.migrations.Session.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantPolicyTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String NAMES = "SELECT name FROM acme.customer ORDER BY name";

  private Session tenant;

  @BeforeAll
  static void addACustomerForEachTenant() throws SQLException {
    new Migrator(TestConfig.of(database)).and(TestConfig.ACME).migrate();
    try (var administrator = new Session(database.connectAsAdministrator())) {
      administrator.run(
          """
          INSERT INTO acme.customer VALUES
            ('%s', gen_random_uuid(), 'ours'), ('%s', gen_random_uuid(), 'other'),
            ('%s', gen_random_uuid(), 'third');
          INSERT INTO acme.visit VALUES ('%1$s', '2026-05-01', 'ours'), ('%2$s', '2026-05-01', 'other');
          INSERT INTO acme."order" SELECT tenant_id, 1, id, 7 FROM acme.customer;
          INSERT INTO acme.country VALUES ('CH');
          GRANT SELECT ON acme.visit_2026 TO leasehold_tenant;
          """
              .formatted(TENANT, OTHER, THIRD));
    }
  }

  @BeforeEach
  void connect() throws SQLException {
    tenant = new Session(database.connectAs("leasehold_tenant"));
  }

  @AfterEach
  void rollBack() throws SQLException {
    tenant.close();
  }

  @Test
  void showsNothingWithoutATenant() throws SQLException {
    assertThat(tenant.ask(NAMES)).isEmpty();
  }

  @Test
  void showsNothingAfterTheTenantsTransaction() throws SQLException {
    tenant.forTenant(database, TENANT).connection().commit();

    assertThat(tenant.ask("SELECT leasehold.own_tenant()")).containsExactly("null");
    assertThat(tenant.ask(NAMES)).isEmpty();
  }

  @Test
  void showsTheTenantsOwnRows() throws SQLException {
    tenant.forTenant(database, TENANT);

    assertThat(tenant.ask(NAMES)).containsExactly("ours");
    assertThat(tenant.ask("SELECT tenant_id FROM acme.customer_total")).containsExactly(TENANT);
    assertThat(tenant.ask("SELECT code FROM acme.country")).containsExactly("CH");
  }

  @Test
  void showsRowsOfSeveralReadableTenants() throws SQLException {
    tenant.forTenant(database, TENANT + "," + THIRD);

    assertThat(tenant.ask(NAMES)).containsExactly("ours", "third");
  }

  @Test
  void appliesToAPartitionThatIsReadDirectly() throws SQLException {
    tenant.forTenant(database, TENANT);

    assertThat(tenant.ask("SELECT page FROM acme.visit_2026")).containsExactly("ours");
  }

  @Test
  void refusesAnInvalidTenantSetting() throws SQLException {
    tenant.forTenant(database, "everybody");

    assertThatThrownBy(() -> tenant.ask(NAMES)).hasMessageContaining("invalid input syntax");
  }

  @Test
  void refusesARowForATenantThatMayOnlyBeRead() throws SQLException {
    tenant.forTenant(database, TENANT + "," + OTHER);

    assertThatThrownBy(
            () ->
                tenant.run(
                    "INSERT INTO acme.customer VALUES ('%s', gen_random_uuid(), 'smuggled')"
                        .formatted(OTHER)))
        .hasMessageContaining("violates row-level security policy");
  }

  @Test
  void refusesToMoveARowToAnotherTenant() throws SQLException {
    tenant.forTenant(database, TENANT + "," + OTHER);

    assertThatThrownBy(
            () -> tenant.run("UPDATE acme.customer SET tenant_id = '%s'".formatted(OTHER)))
        .hasMessageContaining("violates row-level security policy");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE acme.customer SET name = 'changed' RETURNING 1",
        "DELETE FROM acme.\"order\" RETURNING 1",
        "SELECT 1 FROM acme.customer FOR UPDATE"
      })
  void writesOnlyTheTenantsOwnRows(String statement) throws SQLException {
    tenant.forTenant(database, TENANT + "," + OTHER);

    assertThat(tenant.ask(statement)).hasSize(1);
  }

  @Test
  void refusesAReferenceToAnotherTenantsRow() throws SQLException {
    tenant.forTenant(database, TENANT + "," + OTHER);

    assertThatThrownBy(
            () ->
                tenant.run(
                    "INSERT INTO acme.\"order\" SELECT '%s', 2, id, 7 FROM acme.customer"
                            .formatted(TENANT)
                        + " WHERE name = 'other'"))
        .hasMessageContaining("violates foreign key constraint");
  }

  @Test
  void hidesEveryRowFromTheOwner() throws SQLException {
    try (var owner = new Session(database.connectAs("leasehold_owner"))) {
      assertThat(owner.ask(NAMES)).isEmpty();
    }
  }

  @Test
  void readsTheSettingOncePerStatement() throws SQLException {
    tenant.forTenant(database, TENANT);
    tenant.run("SET LOCAL enable_indexscan = off");

    var plan = tenant.ask("EXPLAIN SELECT name FROM acme.customer");

    assertThat(plan).anyMatch(line -> line.contains("InitPlan"));
  }

  @Test
  void usesAnIndexForSeveralReadableTenants() throws SQLException {
    tenant.forTenant(database, TENANT + "," + OTHER);
    tenant.run("SET LOCAL enable_seqscan = off");

    var plan = tenant.ask("EXPLAIN SELECT number FROM acme.\"order\"");

    assertThat(plan).anyMatch(line -> line.contains("Index Cond: (tenant_id = ANY"));
  }
}
