package io.leasehold.migrations;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class IsolationFindingsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  // How the server writes the name of a rule back.
  private static final Pattern RULE =
      Pattern.compile("(?:SELECT|THEN|ELSE) '([a-z]+(?:-[a-z]+)+)'");

  static final List<Violation> VIOLATIONS =
      Stream.of(TableViolations.ALL, ReachViolations.ALL, RoleViolations.ALL)
          .flatMap(List::stream)
          .toList();

  @BeforeAll
  static void migrateModule() throws SQLException {
    new Migrator(TestConfig.of(database)).and(TestConfig.ACME).migrate();
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_tenant", "leasehold_engine", "leasehold_owner"})
  void findsNothingInACorrectDatabase(String role) throws SQLException {
    try (var session = new Session(database.connectAs(role))) {
      var findings = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(findings).isEmpty();
    }
  }

  @ParameterizedTest
  @FieldSource("VIOLATIONS")
  void reportsEachViolation(Violation planted) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(planted.sql());

      var found = session.ask("SELECT object FROM " + of(planted));

      assertThat(found).contains(planted.object());
    }
  }

  @ParameterizedTest
  @FieldSource("VIOLATIONS")
  void remedyFixesEachViolation(Violation planted) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(planted.sql());

      for (var remedy : session.ask("SELECT remedy FROM " + of(planted))) {
        session.run(remedy);
      }

      assertThat(session.ask("SELECT f::text FROM " + of(planted))).isEmpty();
    }
  }

  @Test
  void everyRuleHasItsViolation() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator())) {
      var views =
          session.ask(
              "SELECT pg_get_viewdef(oid) FROM pg_class WHERE relname LIKE 'finding\\_of\\_%'");

      var rules =
          views.stream()
              .flatMap(view -> RULE.matcher(view).results())
              .map(found -> found.group(1))
              .collect(toSet());

      assertThat(VIOLATIONS).extracting(Violation::rule).containsAll(rules);
      assertThat(rules).hasSizeGreaterThan(20);
    }
  }

  @Test
  void findsNothingInALoginThatIsAMemberOfOneRole() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE ROLE app LOGIN; GRANT leasehold_tenant TO app");

      var found = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(found).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_owner", "app"})
  void reportsTheOwnerAsTheEngine(String role) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE ROLE app LOGIN; GRANT leasehold_engine, leasehold_owner TO app");
      session.run("SET SESSION AUTHORIZATION " + role);

      var found =
          session.ask(
              "SELECT problem FROM leasehold.session_findings('leasehold_engine')"
                  + " WHERE rule = 'session-role'");

      assertThat(found).contains("is leasehold_owner, or a member of it");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "backtrace_functions = 'a,b'",
        "row_security = off",
        "session_replication_role = replica"
      })
  void reportsASessionThatStartsWith(String setting) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator())) {
      var name = session.ask("SELECT quote_ident(current_database())").getFirst();
      session.run("ALTER DATABASE %s SET %s".formatted(name, setting));
      try (var engine = new Session(database.connectAs("leasehold_engine"))) {
        var found =
            engine.ask(
                "SELECT rule FROM leasehold.session_findings('leasehold_engine') ORDER BY 1");

        assertThat(found).contains("session-setting");
      } finally {
        session.run("ALTER DATABASE %s RESET %s".formatted(name, setting.replaceFirst(" .*", "")));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold_tenant", "leasehold_engine"})
  void treatsAMemberAsTheRole(String role) throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE ROLE app LOGIN; GRANT %s TO app".formatted(role));
      session.run("SET SESSION AUTHORIZATION app");

      var found =
          session.ask(
              "SELECT rule FROM leasehold.session_findings('%s')".formatted(role)
                  + " WHERE rule = 'session-role'");

      assertThat(found).isEmpty();
    }
  }

  @Test
  void skipsObjectsOfExtensions() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run("CREATE EXTENSION pg_trgm SCHEMA public");
      session.run("CREATE TABLE public.note (id int); GRANT SELECT ON public.note TO PUBLIC");
      session.run("ALTER EXTENSION pg_trgm ADD TABLE public.note");

      var found = session.ask("SELECT f::text FROM leasehold.isolation_findings() AS f");

      assertThat(found).isEmpty();
    }
  }

  private static String of(Violation planted) {
    return "leasehold.isolation_findings() AS f WHERE rule = '%s'".formatted(planted.rule());
  }
}
