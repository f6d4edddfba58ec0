package io.leasehold.migrations;

import static io.leasehold.migrations.Session.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionsForTheEngineTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void listensOnAChannelOfTheEngine() throws SQLException {
    try (var engine = new Session(database.connectAs("leasehold_engine"))) {
      engine.ask("SELECT leasehold.listen('leasehold_default')");

      assertThat(engine.ask("SELECT pg_listening_channels()")).containsExactly("leasehold_default");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "other", "leasehold_", "leasehold_A", "leasehold\"; SELECT 1", "leasehold\n"})
  void refusesOtherChannels(String channel) throws SQLException {
    try (var engine = new Session(database.connectAs("leasehold_engine"))) {
      assertThatThrownBy(() -> engine.ask("SELECT leasehold.listen('%s')".formatted(channel)))
          .hasMessageContaining("channel must be \"leasehold\" or begin with \"leasehold_\", not");
    }
  }

  @Test
  void refusesTenantsThatListen() throws SQLException {
    try (var tenant = new Session(database.connectAs("leasehold_tenant"))) {
      assertThatThrownBy(() -> tenant.ask("SELECT leasehold.listen('leasehold')"))
          .hasMessageContaining("permission denied");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_engine", "leasehold_tenant"})
  void reportsTheVersionOfTheSchema(String role) throws SQLException {
    try (var owner = new Session(database.connectAs("leasehold_owner"));
        var session = new Session(database.connectAs(role))) {
      var newest = owner.ask("SELECT max(version) FROM leasehold.flyway_schema_history").getFirst();

      assertThat(session.ask("SELECT leasehold.schema_version()"))
          .singleElement(STRING)
          .matches(newest + "-[0-9a-f]{8}");
    }
  }

  @Test
  void listsTheFunctionsOfTheSchema() throws SQLException {
    try (var owner = new Session(database.connectAs("leasehold_owner"))) {
      var before = owner.ask("SELECT leasehold.schema_version()");
      owner.run(
          """
          INSERT INTO leasehold.flyway_schema_history
          SELECT 900, NULL, description, type, script, checksum + 1, installed_by, now(), 1, true
          FROM leasehold.flyway_schema_history WHERE script = 'R__20_submit.sql'
          """);
      var after = owner.ask("SELECT leasehold.schema_version()");
      owner.run("DELETE FROM leasehold.flyway_schema_history WHERE installed_rank = 900");

      assertThat(after).isNotEqualTo(before);
      assertThat(owner.ask("SELECT leasehold.schema_version()")).isEqualTo(before);
    }
  }

  @Test
  void letsATenantCallAFunctionThatRunsAsTheEngine() throws SQLException {
    try (var owner = new Session(database.connectAs("leasehold_owner"))) {
      owner.run(
          """
          CREATE TABLE leasehold.tally (tenant_id uuid NOT NULL, id uuid PRIMARY KEY);
          SELECT leasehold.protect('leasehold.tally', for_engine => true);
          GRANT INSERT ON leasehold.tally TO leasehold_engine;
          CREATE FUNCTION leasehold.count_one() RETURNS void LANGUAGE sql
            AS 'INSERT INTO leasehold.tally VALUES (leasehold.own_tenant(), gen_random_uuid())';
          SELECT leasehold.run_as_engine('leasehold.count_one()');
          CREATE OR REPLACE FUNCTION leasehold.count_one() RETURNS void LANGUAGE sql
            AS 'INSERT INTO leasehold.tally VALUES (leasehold.own_tenant(), gen_random_uuid())';
          SELECT leasehold.run_as_engine('leasehold.count_one()');
          GRANT EXECUTE ON FUNCTION leasehold.count_one() TO leasehold_tenant;
          """);
    }
    try (var tenant = new Session(database.connectAs("leasehold_tenant"))) {
      tenant.forTenant(database, TENANT);

      assertThat(tenant.ask("SELECT leasehold.count_one()")).hasSize(1);
      assertThat(tenant.ask("SELECT object FROM leasehold.isolation_findings()")).isEmpty();
      assertThatThrownBy(() -> tenant.ask("SELECT * FROM leasehold.tally"))
          .hasMessageContaining("permission denied");
    }
  }
}
