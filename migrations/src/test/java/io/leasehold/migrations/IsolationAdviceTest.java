package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IsolationAdviceTest {

  private static final String ADVICE =
      "SELECT rule || ' ' || object || ' ' || remedy FROM leasehold.isolation_advice()";

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void isEmptyAfterASuperuserMigrated() throws SQLException {
    try (var engine = new Session(database.connectAs("leasehold_engine"))) {
      assertThat(engine.ask(ADVICE)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GRANT EXECUTE ON FUNCTION pg_terminate_backend(integer, bigint) TO PUBLIC        | function-open pg_catalog.pg_terminate_backend(integer,bigint)
          GRANT EXECUTE ON FUNCTION query_to_xml(text, boolean, boolean, text) TO leasehold_tenant | function-open pg_catalog.query_to_xml(text,boolean,boolean,text)
          GRANT EXECUTE ON FUNCTION pg_try_advisory_xact_lock(bigint) TO PUBLIC             | function-open pg_catalog.pg_try_advisory_xact_lock(bigint)
          ALTER ROLE leasehold_tenant SET local_preload_libraries = 'nope'                  | role-setting-foreign leasehold_tenant ALTER ROLE leasehold_tenant RESET local_preload_libraries;
          ALTER ROLE leasehold_engine SET work_mem = '1GB'                                  | role-setting-foreign leasehold_engine ALTER ROLE leasehold_engine RESET work_mem;
          """)
  void namesOpenRights(String planted, String advice) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(planted);

      assertThat(session.ask(ADVICE)).anyMatch(line -> line.startsWith(advice));
    }
  }

  @Test
  void otherRolesKeepTheRevokedFunctions() throws SQLException {
    var functions =
        List.of("pg_terminate_backend(integer, bigint)", "pg_try_advisory_lock(bigint)");
    try (var session = new Session(database.connectAsAdministrator())) {
      for (var function : functions) {
        assertThat(session.ask(mayCall("leasehold_tenant", function))).containsExactly("f");
        assertThat(session.ask(mayCall("leasehold_engine", function))).containsExactly("f");
        assertThat(session.ask(mayCall("leasehold_owner", function))).containsExactly("t");
      }
    }
  }

  private static String mayCall(String role, String function) {
    return "SELECT has_function_privilege('%s', 'pg_catalog.%s', 'EXECUTE')"
        .formatted(role, function);
  }
}
