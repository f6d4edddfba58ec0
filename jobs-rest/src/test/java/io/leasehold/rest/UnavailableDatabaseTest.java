package io.leasehold.rest;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Finding;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.jobs.JobId;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Setup;
import io.leasehold.testkit.TcpProxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever keeps tenants from the database, the answer is 503, and says when to come again. */
class UnavailableDatabaseTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String TENANT_SESSIONS =
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE usename = 'leasehold_tenant' AND datname = current_database()
      """;

  @TempDir static Path folder;

  static EmbeddedServer server;
  static DoctorsDatabase database;

  private final Gate gate = new Gate();

  @BeforeAll
  static void start() {
    server = EmbeddedServer.temporary(Map.of());
    database = DoctorsDatabase.in(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void letEnd() {
    gate.open();
  }

  private static DbConfig.Builder config(String jdbcUrl) {
    var password = new Secret(DoctorsDatabase.PASSWORD);
    return DbConfig.of(jdbcUrl, password, password)
        .connectTimeout(Duration.ofSeconds(3))
        .fsyncRequired(false);
  }

  private static RestStack stack(DbConfig config) {
    return RestStack.on(config, Setup.create());
  }

  // At the same time, as each waits for a connection until it is given up.
  private static List<Answer> answers(ApiClient client, JobId job) {
    var path = "/api/v1/jobs/" + job;
    List<Callable<Answer>> requests =
        List.of(
            () -> client.get("/api/v1/jobs"),
            () -> client.get(path),
            () -> client.get(path + "/events"),
            () -> client.get("/api/v1/jobs/" + UUID.randomUUID()),
            () -> client.post(path + "/cancel"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAll(requests).stream().map(Future::resultNow).toList();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertUnavailable(List<Answer> answers) {
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).as(answer.body()).isEqualTo(503);
              assertThat(answer.problem()).isEqualTo("unavailable");
              assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
              assertThat(answer.header("Retry-After")).isEqualTo("1");
            });
  }

  /** For reasons that have an SQLSTATE of their own, and for those that have not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER ROLE leasehold_tenant NOLOGIN | ALTER ROLE leasehold_tenant LOGIN",
        "ALTER ROLE leasehold_tenant PASSWORD 'changed' | ALTER ROLE leasehold_tenant PASSWORD"
            + " 'secret'",
        "ALTER ROLE leasehold_tenant CONNECTION LIMIT 0"
            + " | ALTER ROLE leasehold_tenant CONNECTION LIMIT -1",
        "ALTER ROLE leasehold_tenant SET session_preload_libraries = 'nope'"
            + " | ALTER ROLE leasehold_tenant RESET session_preload_libraries",
        "ALTER ROLE leasehold_tenant VALID UNTIL '2000-01-01'"
            + " | ALTER ROLE leasehold_tenant VALID UNTIL 'infinity'",
        "ALTER DATABASE %s CONNECTION LIMIT 0 | ALTER DATABASE %s CONNECTION LIMIT -1"
      })
  void answerIsUnavailableWhileTheTenantRoleCannotLogIn(String fault, String remedy)
      throws SQLException {
    try (var stack = stack(config(database.jdbcUrl()).build())) {
      var client = stack.client(ACME, ADMIN);
      var job = stack.submit(ACME, gate);

      database.spoil(fault.formatted(database.name()));
      try {
        database.spoil(TENANT_SESSIONS);

        assertUnavailable(answers(client, job));
      } finally {
        database.spoil(remedy.formatted(database.name()));
      }
      await().atMost(LONG).until(() -> client.get("/api/v1/jobs").status() == 200);
    }
  }

  /** Our connections override this setting of the role, and no other program logs in as it. */
  @Test
  void aPreloadLibraryOfTheTenantRoleBlocksNoLogin() throws SQLException {
    try (var stack = stack(config(database.jdbcUrl()).build())) {
      var client = stack.client(ACME, ADMIN);

      database.spoil("ALTER ROLE leasehold_tenant SET local_preload_libraries = 'nope'");
      try {
        database.spoil(TENANT_SESSIONS);

        await().atMost(LONG).until(() -> client.get("/api/v1/jobs").status() == 200);
        assertThat(SecureDatabase.advice(config(database.jdbcUrl()).build()))
            .extracting(Finding::rule)
            .contains("role-setting-foreign");
      } finally {
        database.spoil("ALTER ROLE leasehold_tenant RESET local_preload_libraries");
      }
      await().atMost(LONG).until(() -> client.get("/api/v1/jobs").status() == 200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER DATABASE %s ALLOW_CONNECTIONS false | ALTER DATABASE %s ALLOW_CONNECTIONS true",
        "REVOKE CONNECT ON DATABASE %s FROM PUBLIC, leasehold_tenant"
            + " | GRANT CONNECT ON DATABASE %s TO leasehold_tenant"
      })
  void answerIsUnavailableWhileTheDatabaseTakesNoConnections(String fault, String remedy)
      throws SQLException {
    try (var copy = database.copy();
        var stack = stack(config(copy.jdbcUrl()).build())) {
      var client = stack.client(ACME, ADMIN);
      var job = stack.submit(ACME, gate);
      var everywhere = new DoctorsDatabase(server, "postgres");

      try {
        everywhere.spoil(fault.formatted(copy.name()));
        everywhere.spoil(closed(copy));

        assertUnavailable(answers(client, job));
      } finally {
        everywhere.spoil(remedy.formatted(copy.name()));
      }
      await().atMost(LONG).until(() -> client.get("/api/v1/jobs").status() == 200);
    }
  }

  private static String closed(DoctorsDatabase database) {
    return "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '%s';"
        .formatted(database.name());
  }

  @Test
  void answerIsUnavailableWhileAllConnectionsAreTaken() throws Exception {
    var config = config(database.jdbcUrl()).tenantConnections(1).build();
    try (var stack = stack(config);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var administrator =
            DriverManager.getConnection(
                database.jdbcUrl(), EmbeddedServer.SUPERUSER, server.password());
        var statement = administrator.createStatement()) {
      var client = stack.client(ACME, ADMIN);
      var job = stack.submit(ACME, gate);
      administrator.setAutoCommit(false);
      statement.execute("LOCK TABLE leasehold.job IN ACCESS EXCLUSIVE MODE");
      var holder = threads.submit(() -> client.get("/api/v1/jobs/" + job));
      await()
          .atMost(LONG)
          .until(
              () -> {
                var waiting =
                    statement.executeQuery(
                        "SELECT 1 FROM pg_stat_activity WHERE usename = 'leasehold_tenant'"
                            + " AND wait_event_type = 'Lock'");
                return waiting.next();
              });

      assertUnavailable(List.of(client.get("/api/v1/jobs/" + job)));
      administrator.rollback();
      assertThat(holder.get().status()).isEqualTo(200);
    }
  }

  @Test
  void answerIsUnavailableWithoutAServerAndForWritesToAStandby() throws Exception {
    var data = folder.resolve("primary");
    var primary = EmbeddedServer.in(data, Map.of());
    var patient = DoctorsDatabase.in(primary);
    try (var proxy = TcpProxy.before(patient.jdbcUrl());
        var stack = stack(config(proxy.jdbcUrl()).build())) {
      var client = stack.client(ACME, ADMIN);
      var job = stack.submit(ACME, gate);
      assertThat(client.get("/api/v1/jobs").status()).isEqualTo(200);

      primary.close();
      assertUnavailable(answers(client, job));

      Files.createFile(data.resolve("cluster/standby.signal"));
      try (var standby = EmbeddedServer.in(data, Map.of())) {
        proxy.leadTo(standby.jdbcUrl(patient.name()));
        await().atMost(LONG).until(() -> client.get("/api/v1/jobs").status() == 200);
        assertUnavailable(List.of(client.post("/api/v1/jobs/%s/cancel".formatted(job))));
      }
    }
  }
}
