package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProtectTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void refusesTablesWithoutTenant() throws SQLException {
    try (var owner = database.connectAs("leasehold_owner");
        var statement = owner.createStatement()) {
      statement.execute("CREATE SCHEMA acme");
      statement.execute("CREATE TABLE acme.plain (id int)");

      assertThatThrownBy(() -> statement.execute("SELECT leasehold.protect('acme.plain')"))
          .hasMessageContaining("tenant_id uuid NOT NULL");
    }
  }
}
