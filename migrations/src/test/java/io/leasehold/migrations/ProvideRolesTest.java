package io.leasehold.migrations;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProvideRolesTest {

  @RegisterExtension static final TestServer server = new TestServer();

  private static final String DATABASE = "fresh";
  private static final String FINDINGS = "SELECT f::text FROM leasehold.isolation_findings() AS f";
  private static final Map<String, String> PASSWORDS =
      Map.of("leasehold_tenant", TestServer.PASSWORD, "leasehold_engine", TestServer.PASSWORD);

  @BeforeEach
  void makeDatabaseAndUser() throws SQLException {
    server.makeDatabase(DATABASE);
    administratorRuns("CREATE ROLE migrator LOGIN PASSWORD '" + TestServer.PASSWORD + "'");
  }

  @AfterEach
  void drop() throws SQLException {
    server.drop(DATABASE);
    try (var session = server.administrator("postgres")) {
      session.run("DROP ROLE migrator");
    }
  }

  private static void administratorRuns(String sql) throws SQLException {
    try (var session = server.administrator(DATABASE)) {
      session.run(sql);
    }
  }

  private static MigrationConfig as(String user) {
    return server.userOf(DATABASE, user);
  }

  private static MigrationConfig withPasswords(MigrationConfig config) {
    return new MigrationConfig(config.jdbcUrl(), config.user(), config.password(), PASSWORDS);
  }

  @Test
  void makesRolesAsASuperuser() throws SQLException {
    new Migrator(withPasswords(server.administratorOf(DATABASE))).migrate();

    try (var tenant = Session.of(as("leasehold_tenant"))) {
      assertThat(tenant.ask(FINDINGS)).isEmpty();
      assertThat(tenant.ask("SHOW search_path")).containsExactly("pg_catalog, pg_temp");
    }
  }

  @Test
  void keepsTenantsFromMakingLargeObjects() throws SQLException {
    new Migrator(withPasswords(server.administratorOf(DATABASE))).migrate();

    try (var tenant = Session.of(as("leasehold_tenant"))) {
      assertThatThrownBy(() -> tenant.ask("SELECT lo_from_bytea(0, 'seen by all')"))
          .hasMessageContaining("permission denied");
      assertThatThrownBy(() -> tenant.ask("SELECT lo_create(0)"))
          .hasMessageContaining("permission denied");
      assertThatThrownBy(() -> tenant.ask("SELECT lo_creat(-1)"))
          .hasMessageContaining("permission denied");
    }
  }

  @Test
  void makesRolesAsAUserThatMayMakeRoles() throws SQLException {
    administratorRuns("ALTER ROLE migrator CREATEROLE");
    administratorRuns("ALTER DATABASE fresh OWNER TO migrator");

    new Migrator(withPasswords(as("migrator"))).and(TestConfig.ACME).migrate();
    new Migrator(withPasswords(as("migrator"))).and(TestConfig.ACME).migrate();

    try (var engine = Session.of(as("leasehold_engine"))) {
      assertThat(engine.ask(FINDINGS)).isEmpty();
    }
  }

  @Test
  void makesRolesAsAUserThatIsAMemberOfWhatItMakes() throws SQLException {
    try (var session = server.administrator(DATABASE)) {
      assumeThat(session.connection().getMetaData().getDatabaseMajorVersion())
          .as("the first version with this setting")
          .isGreaterThanOrEqualTo(16);
    }
    administratorRuns("ALTER ROLE migrator CREATEROLE");
    administratorRuns("ALTER ROLE migrator SET createrole_self_grant = 'set, inherit'");
    administratorRuns("ALTER DATABASE fresh OWNER TO migrator");

    new Migrator(as("migrator")).migrate();

    try (var session = server.administrator(DATABASE)) {
      assertThat(session.ask(FINDINGS)).isEmpty();
    }
  }

  @Test
  void hashesPasswordsOnTheClient() throws SQLException {
    new Migrator(withPasswords(server.administratorOf(DATABASE))).provision();

    try (var session = server.administrator(DATABASE)) {
      assertThat(
              session.ask("SELECT rolpassword FROM pg_authid WHERE rolname = 'leasehold_engine'"))
          .allMatch(it -> it.startsWith("SCRAM-SHA-256$"));
    }
  }

  @Test
  void listsTheStatementsForAnAdministrator() {
    assertThatThrownBy(new Migrator(as("migrator"))::migrate)
        .isInstanceOf(MigrationException.class)
        .hasMessageContainingAll(
            "migrator may not set up",
            "CREATE ROLE leasehold_owner LOGIN;",
            "CREATE ROLE leasehold_tenant LOGIN;",
            "CREATE ROLE leasehold_engine LOGIN;",
            "GRANT leasehold_engine TO leasehold_owner",
            "GRANT leasehold_owner TO migrator",
            "REVOKE TEMPORARY ON DATABASE fresh FROM PUBLIC;",
            "GRANT CREATE ON DATABASE fresh TO leasehold_owner;",
            "ALTER ROLE leasehold_tenant IN DATABASE fresh SET search_path = pg_catalog, pg_temp;",
            "ALTER ROLE leasehold_engine IN DATABASE fresh SET search_path = pg_catalog, pg_temp;");
  }

  @Test
  void continuesAsAMemberOfTheOwnerAfterTheStatements() throws SQLException {
    administratorRuns("GRANT CREATE ON SCHEMA public TO PUBLIC");
    administratorRuns("REVOKE CONNECT ON DATABASE fresh FROM PUBLIC");
    administratorRuns("GRANT CONNECT ON DATABASE fresh TO migrator");
    runWhatIsListed(as("migrator"));

    new Migrator(withPasswords(as("migrator"))).and(TestConfig.ACME).migrate();

    try (var session = server.administrator(DATABASE)) {
      assertThat(session.ask(FINDINGS)).isEmpty();
      assertThat(session.ask("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'acme'"))
          .containsExactly("leasehold_owner");
    }
  }

  @Test
  void continuesAsTheOwnerAfterTheStatements() throws SQLException {
    administratorRuns("CREATE ROLE leasehold_owner LOGIN PASSWORD '" + TestServer.PASSWORD + "'");
    runWhatIsListed(as("leasehold_owner"));

    new Migrator(as("leasehold_owner")).and(TestConfig.ACME).migrate();

    try (var session = server.administrator(DATABASE)) {
      assertThat(session.ask(FINDINGS)).isEmpty();
    }
  }

  @Test
  void listsOnlyMissingStatements() throws SQLException {
    runWhatIsListed(as("migrator"));
    administratorRuns("ALTER ROLE leasehold_tenant NOLOGIN");
    administratorRuns("GRANT TEMPORARY ON DATABASE fresh TO PUBLIC");
    administratorRuns("REVOKE leasehold_engine FROM leasehold_owner");

    var listed = listed(as("migrator"));

    assertThat(listed.lines().filter(line -> line.startsWith("  ")).collect(toSet()))
        .hasSize(3)
        .anyMatch(line -> line.contains("ALTER ROLE leasehold_tenant LOGIN;"))
        .anyMatch(line -> line.contains("REVOKE TEMPORARY ON DATABASE fresh FROM PUBLIC;"))
        .anyMatch(line -> line.contains("GRANT leasehold_engine TO leasehold_owner"));
  }

  @Test
  void leavesNothingBehindIfItLacksRights() throws SQLException {
    administratorRuns("ALTER ROLE migrator CREATEROLE");

    assertThatThrownBy(new Migrator(as("migrator"))::migrate)
        .hasMessageContaining("REVOKE TEMPORARY ON DATABASE fresh FROM PUBLIC;");

    try (var session = server.administrator(DATABASE)) {
      assertThat(session.ask("SELECT rolname FROM pg_roles WHERE rolname LIKE 'leasehold%'"))
          .isEmpty();
    }
  }

  @Test
  void grantsTheOwnerToNoRunTimeRole() throws SQLException {
    new Migrator(server.administratorOf(DATABASE)).migrate();

    try (var session = server.administrator(DATABASE)) {
      assertThat(
              session.ask(
                  "SELECT member::regrole FROM pg_auth_members JOIN pg_roles ON pg_roles.oid ="
                      + " roleid WHERE rolname LIKE 'leasehold%' OR member::regrole::text LIKE"
                      + " 'leasehold%'"))
          .containsExactly("leasehold_owner");
    }
  }

  private static String listed(MigrationConfig config) {
    var refused = catchThrowableOfType(MigrationException.class, new Migrator(config)::migrate);
    assertThat(refused).isNotNull();
    return String.valueOf(refused.getMessage());
  }

  /** Runs the statements of the list as they are printed, comments and all. */
  private static void runWhatIsListed(MigrationConfig config) throws SQLException {
    for (var line : listed(config).lines().filter(it -> it.startsWith("  ")).toList()) {
      administratorRuns(line);
    }
  }
}
