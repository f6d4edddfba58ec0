package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each way to set a database up so that it must not be used: the doctor says so, and exits with 1.
 */
class BadSetupTest {

  private static final EmbeddedServer server =
      EmbeddedServer.temporary(Map.of("fsync", "on", "max_connections", "50"));

  private static final DoctorsDatabase healthy = DoctorsDatabase.in(server);

  @TempDir private static Path folder;

  @AfterAll
  static void stop() {
    server.close();
  }

  /**
   * A good set-up, spoiled.
   *
   * @param spoil what an administrator runs
   * @param mend undoes it where it outlives the database
   * @param as the program's environment, where it differs
   * @param says what the doctor says, among other things
   */
  record BadSetup(String name, String spoil, String mend, Map<String, String> as, String says) {

    BadSetup as(Map<String, String> environment) {
      return new BadSetup(name, spoil, mend, environment, says);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static BadSetup sql(String name, String spoil, String says) {
    return new BadSetup(name, spoil, "", Map.of(), says);
  }

  private static BadSetup role(String name, String spoil, String mend, String says) {
    return new BadSetup(name, spoil, mend, Map.of(), says);
  }

  private static BadSetup login(String name, Map<String, String> as, String says) {
    return new BadSetup(name, "", "", as, says);
  }

  static Stream<BadSetup> setups() {
    var table =
        """
        CREATE SCHEMA acme AUTHORIZATION leasehold_owner;
        SET ROLE leasehold_owner;
        CREATE TABLE acme.orders (tenant_id uuid NOT NULL, id uuid PRIMARY KEY);
        SELECT leasehold.protect('acme.orders');
        GRANT SELECT, INSERT ON acme.orders TO leasehold_tenant;
        """;
    return Stream.of(
        login(
            "a superuser instead of the tenant role",
            Map.of(
                "LEASEHOLD_TENANT_USER",
                EmbeddedServer.SUPERUSER,
                "LEASEHOLD_TENANT_PASSWORD",
                server.password()),
            "session-attribute: postgres has SUPERUSER"),
        role(
            "the tenant role a superuser",
            "ALTER ROLE leasehold_tenant SUPERUSER",
            "ALTER ROLE leasehold_tenant NOSUPERUSER",
            "ALTER ROLE leasehold_tenant NOSUPERUSER"),
        role(
            "the tenant role beyond row level security",
            "ALTER ROLE leasehold_tenant BYPASSRLS",
            "ALTER ROLE leasehold_tenant NOBYPASSRLS",
            "ALTER ROLE leasehold_tenant NOBYPASSRLS"),
        role(
                "the owner instead of the tenant role",
                "ALTER ROLE leasehold_owner LOGIN PASSWORD '%s'"
                    .formatted(DoctorsDatabase.PASSWORD),
                "",
                "session-role: leasehold_owner is not leasehold_tenant")
            .as(Map.of("LEASEHOLD_TENANT_USER", "leasehold_owner")),
        role(
            "the tenant role a member of the owner",
            "GRANT leasehold_owner TO leasehold_tenant",
            "REVOKE leasehold_owner FROM leasehold_tenant",
            "REVOKE leasehold_owner FROM leasehold_tenant"),
        sql(
            "row level security off",
            table + "ALTER TABLE acme.orders DISABLE ROW LEVEL SECURITY",
            "row-security-off: acme.orders"),
        sql(
            "row level security not forced",
            table + "ALTER TABLE acme.orders NO FORCE ROW LEVEL SECURITY",
            "row-security-not-forced: acme.orders"),
        sql(
            "a policy missing",
            table + "DROP POLICY tenant_updates ON acme.orders",
            "policy-missing: acme.orders has no policy tenant_updates"),
        sql(
            "a policy that lets everybody in",
            table + "CREATE POLICY all_in ON acme.orders USING (true)",
            "policy-foreign: acme.orders"),
        sql(
            "a view that runs as its owner",
            table
                + "CREATE VIEW acme.order_v AS SELECT * FROM acme.orders;"
                + "GRANT SELECT ON acme.order_v TO leasehold_tenant",
            "acme.order_v"),
        sql(
            "truncate granted",
            table + "GRANT TRUNCATE ON acme.orders TO leasehold_tenant",
            "TRUNCATE"),
        sql(
            "a unique key without the tenant",
            table
                + "ALTER TABLE acme.orders ADD code text;"
                + "ALTER TABLE acme.orders ADD CONSTRAINT code_once UNIQUE (code)",
            "code_once"),
        sql(
            "a table open to tenants",
            table
                + "CREATE TABLE acme.note (id int); GRANT SELECT ON acme.note TO leasehold_tenant",
            "table-open: acme.note"),
        sql(
            "a table that the tenant role owns",
            "CREATE TABLE public.own (id int); ALTER TABLE public.own OWNER TO leasehold_tenant",
            "role-owns: leasehold_tenant"),
        sql(
            "temporary tables for everybody",
            "DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC',"
                + " current_database()); END $$",
            "role-makes-temporary: PUBLIC"),
        role(
            "commits that may be lost",
            "ALTER ROLE leasehold_engine SET synchronous_commit = off",
            "ALTER ROLE leasehold_engine RESET synchronous_commit",
            "server-synchronous-commit: server synchronous_commit is off"),
        sql(
            "a schema from a newer program",
            """
            INSERT INTO leasehold.flyway_schema_history
            SELECT 9999, '999', 'later', 'SQL', 'V999__later.sql', 1, 'x', now(), 1, true
            """,
            "schema-ahead: schema leasehold is at version 999"),
        sql(
            "a schema from an older program",
            "DELETE FROM leasehold.flyway_schema_history WHERE version = (SELECT max(version) FROM"
                + " leasehold.flyway_schema_history)",
            "schema-behind: schema leasehold"),
        sql(
            "functions of another program",
            "UPDATE leasehold.flyway_schema_history SET checksum = checksum + 1 WHERE script ="
                + " 'R__20_submit.sql'",
            "schema-behind: schema leasehold"),
        sql("no schema", "DROP SCHEMA leasehold CASCADE", "schema-missing: schema leasehold"),
        login(
            "a wrong password",
            Map.of("LEASEHOLD_ENGINE_PASSWORD", "wrong"),
            "login: role leasehold_engine is refused by the server"));
  }

  @ParameterizedTest
  @MethodSource("setups")
  void isReportedAndRefused(BadSetup setup) throws Exception {
    try (var database = healthy.copy()) {
      database.spoil(setup.spoil());
      try {
        assertRefused(doctor(database, setup.as()), setup.says());
      } finally {
        database.spoil(setup.mend());
      }
    }
  }

  @Test
  void databaseAfterTheMigrationsIsNoBadSetup() throws Exception {
    try (var database = healthy.copy();
        var doctor = doctor(database, Map.of())) {
      assertThat(doctor.exitCode()).as(doctor.said()).isZero();
      assertThat(doctor.said()).contains("all is well");
    }
  }

  @Test
  void allFindingsAreReported() throws Exception {
    var settings = Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off");
    try (var careless = EmbeddedServer.temporary(settings);
        var database = DoctorsDatabase.in(careless)) {
      database.spoil("CREATE TABLE public.t (tenant_id uuid)");

      assertRefused(
          doctor(database, Map.of()),
          "fsync is off",
          "full_page_writes is off",
          "synchronous_commit is off",
          "SELECT leasehold.protect('public.t')",
          "tenant_id may be null");
    }
  }

  @Test
  void unreachableServerIsReported() throws Exception {
    assertRefused(
        doctor("jdbc:postgresql://localhost:1/none", Map.of()),
        "unreachable: jdbc:postgresql://localhost:1/none");
  }

  @Test
  void serverThatIsTooOldIsReported() throws Exception {
    try (var old = OldServer.start(folder)) {
      assertRefused(
          doctor(
              old.jdbcUrl(),
              Map.of(
                  "LEASEHOLD_TENANT_USER",
                  EmbeddedServer.SUPERUSER,
                  "LEASEHOLD_TENANT_PASSWORD",
                  old.password())),
          "server-version: server is PostgreSQL 14",
          "use PostgreSQL 15 or newer");
    }
  }

  private RunningProgram doctor(DoctorsDatabase database, Map<String, String> as)
      throws IOException {
    return doctor(database.jdbcUrl(), as);
  }

  private RunningProgram doctor(String jdbcUrl, Map<String, String> as) throws IOException {
    var output = Files.createTempFile(folder, "output", "");
    return RunningProgram.start(output, DoctorsDatabase.environment(jdbcUrl, as), "doctor");
  }

  private static void assertRefused(RunningProgram doctor, String... says)
      throws InterruptedException {
    try (doctor) {
      assertThat(doctor.exitCode()).as(doctor.said()).isEqualTo(1);
      assertThat(doctor.said()).contains(says).doesNotContain("\tat ");
    }
  }
}
