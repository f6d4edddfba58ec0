package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestDatabaseTest {

  @RegisterExtension
  static final TestDatabase database = new TestDatabase("/io/leasehold/testkit/script.sql");

  @RegisterExtension static final TestDatabase other = new TestDatabase();
  @RegisterExtension static final TestDatabase empty = TestDatabase.empty();

  private static String outer = "";

  @BeforeAll
  static void noteTheOuterOne() {
    outer = database.jdbcUrl();
  }

  @Test
  void isMigrated() throws SQLException {
    try (var tenant = database.connectAs("leasehold_tenant")) {
      assertThat(answer(tenant, "SELECT leasehold.own_tenant() IS NULL")).isEqualTo("t");
    }
  }

  @Test
  void runsScripts() throws SQLException {
    try (var administrator = database.connectAsAdministrator()) {
      assertThat(answer(administrator, "SELECT to_regclass('left_by_script')"))
          .isEqualTo("left_by_script");
    }
  }

  @Test
  void isSeparateForEachClass() throws SQLException {
    try (var administrator = other.connectAsAdministrator()) {
      assertThat(answer(administrator, "SELECT to_regclass('left_by_script') IS NULL"))
          .isEqualTo("t");
    }
  }

  @Test
  void canBeEmpty() throws SQLException {
    try (var administrator = empty.connectAsAdministrator()) {
      assertThat(answer(administrator, "SELECT to_regnamespace('leasehold') IS NULL"))
          .isEqualTo("t");
    }
  }

  @Test
  void grantsNoTenantTemporaryTables() throws SQLException {
    try (var tenant = database.connectAs("leasehold_tenant");
        var statement = tenant.createStatement()) {
      assertThatThrownBy(() -> statement.execute("CREATE TEMPORARY TABLE mine ()"))
          .hasMessageContaining("permission denied to create temporary tables");
    }
  }

  @Test
  void letsTheOwnerMakeSchemas() throws SQLException {
    try (var owner = database.connectAs("leasehold_owner")) {
      assertThat(answer(owner, "SELECT has_database_privilege(current_database(), 'CREATE')"))
          .isEqualTo("t");
    }
  }

  @Test
  void failsStatementsThatWaitForLocks() throws SQLException {
    try (var tenant = database.connectAs("leasehold_tenant")) {
      assertThat(answer(tenant, "SHOW lock_timeout")).isEqualTo("10s");
    }
  }

  @Nested
  class WhenNested {

    @Test
    void isSharedByNestedClasses() {
      assertThat(database.jdbcUrl()).isEqualTo(outer);
    }
  }

  private static String answer(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
