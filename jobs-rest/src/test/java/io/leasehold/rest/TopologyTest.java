package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What single roles do, and do not, on a given database. */
class TopologyTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private static Path folder;

  private static EmbeddedServer database;

  @BeforeAll
  static void start() {
    database = EmbeddedServer.in(folder.resolve("given"), Map.of());
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @Test
  void workTogetherAsOneProcess() throws Exception {
    try (var api = served("two", "api")) {
      assertThat(api.jobs("acme")).hasSize(5).allMatch(it -> status(it).equals("queued"));
      assertThat(api.get("/readyz", "").body()).contains("\"worker\":\"absent\"");
      var export = api.job("acme", "exports").path("job_id").asString();
      try (var follower = api.command(api.token("acme"), "jobs", "events", export, "--follow");
          var worker = served("two", "worker,maintenance")) {
        awaitWork(api);
        await().atMost(SOON).until(() -> follower.said().contains("part_done"));

        assertServesNoJobs(worker, api.token("acme"));
        assertThat(follower.said()).contains(" queued ", " started ");
      }
      awaitStatus(api, "exports", "queued");
    }
  }

  @Test
  void otherProcessesRunWhatTheApiProcessAccepts() throws Exception {
    try (var api = served("three", "api");
        var _ = served("three", "worker");
        var _ = served("three", "maintenance")) {
      awaitWork(api);
      var acme = api.token("acme");
      var report = "/api/v1/jobs/" + api.job("acme", "reports").path("job_id").asString();
      assertThat(api.get(report + "/result", acme).statusCode()).isEqualTo(200);
      assertThat(api.get(report + "/events", acme).body())
          .contains("\"progress\"", "\"over\":true");

      var export = api.job("acme", "exports").path("job_id").asString();
      try (var follower = api.command(acme, "jobs", "events", export, "--follow");
          var waiter = api.command(acme, "jobs", "show", export, "--wait=60s")) {
        await().atMost(SOON).until(() -> follower.said().contains("part_done"));
        assertThat(said(api, acme, "jobs", "cancel", export)).isEqualTo("requested\n");

        assertThat(follower.exitCode()).isZero();
        assertThat(follower.said()).contains(" cancel_requested ", " cancelled ");
        assertThat(waiter.exitCode()).isZero();
        assertThat(waiter.said()).contains("status          cancelled\n");
      }
      assertThat(said(api, acme, "jobs", "retry", export)).isEqualTo("queued\n");
      awaitStatus(api, "exports", "running");
      assertThat(said(api, acme, "jobs", "delete", export, "--force")).startsWith("requested");
      await().atMost(SOON).until(() -> api.get("/api/v1/jobs/" + export, acme).statusCode() == 404);
    }
  }

  private static String said(ServedProgram api, String token, String... args) throws Exception {
    try (var command = api.command(token, args)) {
      assertThat(command.exitCode()).as(command.said()).isZero();
      return command.said();
    }
  }

  private static void awaitStatus(ServedProgram api, String word, String status) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(status(api.job("acme", word))).isEqualTo(status));
  }

  private static void awaitWork(ServedProgram api) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(status(api.job("acme", "reports"))).isEqualTo("succeeded");
              assertThat(status(api.job("acme", "imports"))).isEqualTo("succeeded");
              assertThat(status(api.job("globex", "orders"))).isEqualTo("succeeded");
              assertThat(status(api.job("acme", "exports"))).isEqualTo("running");
            });
  }

  private static void assertServesNoJobs(ServedProgram worker, String token) throws Exception {
    assertThat(worker.program().said())
        .contains(" as worker, maintenance\n")
        .doesNotContain("\ntry\n");
    assertThat(worker.get("/readyz", "").body()).contains("\"worker\":\"up\"");
    assertThat(worker.get("/metrics", "").body()).contains("leasehold_slots");
    assertThat(worker.get("/api/v1/jobs", token).statusCode()).isEqualTo(404);
  }

  @Test
  void haveNoDemonstrationOnAGivenDatabaseUnlessAsked() throws Exception {
    var plain = Files.createDirectory(folder.resolve("plain"));
    try (var served = ServedProgram.start(plain, environment("postgres"))) {
      assertThat(served.ready().path("tokens").propertyNames()).isEmpty();
      assertThat(served.program().said())
          .doesNotContain("DEVELOPMENT ISSUER", "leasehold_demo", "curl ")
          .contains("no issuer of tokens is set");
      assertThat(served.get("/api/v1/jobs", "").statusCode()).isEqualTo(401);
      assertThat(plain.resolve("data")).doesNotExist();
    }
  }

  /** All of a name know the development issuer by the folder that they share. */
  private static ServedProgram served(String name, String roles) throws IOException {
    database.ensureDatabase(name);
    var programFolder = Files.createDirectories(folder.resolve(name).resolve(roles));
    return ServedProgram.start(
        programFolder,
        environment(name),
        "--data",
        folder.resolve(name).resolve("shared").toString(),
        "--demo",
        "--dev-issuer",
        "--roles",
        roles);
  }

  private static Map<String, String> environment(String name) {
    return given(database, name);
  }

  /** How a program is told of a database, and of who may migrate it. */
  static Map<String, String> given(EmbeddedServer database, String name) {
    return Map.of(
        "LEASEHOLD_JDBC_URL",
        database.jdbcUrl(name),
        "LEASEHOLD_ADMIN_USER",
        EmbeddedServer.SUPERUSER,
        "LEASEHOLD_ADMIN_PASSWORD",
        database.password(),
        "LEASEHOLD_TENANT_PASSWORD",
        "one",
        "LEASEHOLD_ENGINE_PASSWORD",
        "two");
  }

  private static String status(JsonNode job) {
    return job.path("status").asString();
  }
}
