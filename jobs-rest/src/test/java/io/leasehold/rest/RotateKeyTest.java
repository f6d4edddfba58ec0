package io.leasehold.rest;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of the tenants' proof is replaced by a command, while a process serves. */
class RotateKeyTest {

  @TempDir private static Path folder;

  private static EmbeddedServer server;
  private static DoctorsDatabase database;

  @BeforeAll
  static void start() {
    server = EmbeddedServer.temporary(Map.of("fsync", "on"));
    database = DoctorsDatabase.in(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void acceptsTheOldKeyForAnHour() throws Exception {
    try (var stack = serving()) {
      var client = stack.client(ACME, ADMIN);
      assertThat(client.get("/api/v1/jobs").status()).isEqualTo(200);
      var before = secrets();

      assertSays(0, "accepted for another hour", asAdministrator(), "rotate-key");

      assertThat(secrets()).containsAll(before).hasSize(before.size() + 1);
      assertThat(client.get("/api/v1/jobs").status()).isEqualTo(200);
    }
  }

  @Test
  void refusesAStolenKeyAtOnceAndContinuesWithTheNewOne() throws Exception {
    try (var stack = serving()) {
      var client = stack.client(ACME, ADMIN);
      assertThat(client.get("/api/v1/jobs").status()).isEqualTo(200);
      var stolen = secrets();

      assertSays(
          0, "old keys are refused from now on", asAdministrator(), "rotate-key", "--stolen");

      assertThat(secrets()).hasSize(1).doesNotContainAnyElementsOf(stolen);
      await().until(() -> client.get("/api/v1/jobs").status() == 200);
    }
  }

  @Test
  void needsAnAdministrator() throws Exception {
    var before = secrets();

    assertSays(1, "LEASEHOLD_ADMIN_USER", Map.of(), "rotate-key");

    assertThat(secrets()).isEqualTo(before);
  }

  private static RestStack serving() {
    var password = new Secret(DoctorsDatabase.PASSWORD);
    return RestStack.on(
        DbConfig.of(database.jdbcUrl(), password, password).build(), Setup.create());
  }

  private static Map<String, String> asAdministrator() {
    return Map.of(
        "LEASEHOLD_ADMIN_USER",
        EmbeddedServer.SUPERUSER,
        "LEASEHOLD_ADMIN_PASSWORD",
        server.password());
  }

  private static List<String> secrets() throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                database.jdbcUrl(), EmbeddedServer.SUPERUSER, server.password());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT array_agg(encode(secret, 'hex') ORDER BY id) FROM leasehold.tenant_key")) {
      rows.next();
      return Arrays.asList((String[]) rows.getArray(1).getArray());
    }
  }

  private static void assertSays(
      int exitCode, String words, Map<String, String> others, String... command) throws Exception {
    var output = Files.createTempFile(folder, "output", "");
    var environment = DoctorsDatabase.environment(database.jdbcUrl(), others);
    try (var program = RunningProgram.start(output, environment, command)) {
      assertThat(program.exitCode()).as(program.said()).isEqualTo(exitCode);
      assertThat(program.said()).contains(words).doesNotContain("\tat ");
    }
  }
}
