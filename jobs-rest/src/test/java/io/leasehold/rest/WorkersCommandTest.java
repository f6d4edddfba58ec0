package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Operators list workers by a command that asks the database, whatever runs. */
class WorkersCommandTest {

  private static final Duration SOON = Duration.ofMinutes(2);

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
  void aRunningWorkerIsLiveWithItsLoadAndAKilledOneIsStale() throws Exception {
    try (var served = served("one")) {
      await()
          .atMost(SOON)
          .until(() -> said("one"), text -> text.matches("(?s).*live .* 2 of 200 .*"));
      assertThat(said("one").lines())
          .hasSize(2)
          .first()
          .asString()
          .matches("WORKER +VERSION +STATE +LAST HEARTBEAT +RUNNING +QUEUES");
      assertThat(said("one")).contains("exports 50, imports 50, orders 50, reports 50\n");
      var worker = JsonMapper.builder().build().readTree(said("one", "--json"));
      assertThat(worker.path("name").asString()).isEqualTo("the worker");
      assertThat(worker.path("stale").asBoolean()).isFalse();
      assertThat(worker.path("running").asInt()).isEqualTo(2);
      assertThat(worker.path("slots").asInt()).isEqualTo(200);
      assertThat(worker.path("queues").path("exports").asInt()).isEqualTo(50);

      served.program().kill();

      await().atMost(SOON).until(() -> said("one"), text -> text.contains(" stale "));
    }
  }

  @Test
  void aDatabaseWithoutWorkersSaysSo() throws Exception {
    database.ensureDatabase("none");
    assertThat(said("none", 0, "migrate")).contains("schema ");

    assertThat(said("none")).isEqualTo("no worker is registered\n");
  }

  @Test
  void theCommandNeedsTheEnginesLogin() throws Exception {
    database.ensureDatabase("strange");
    said("strange", 0, "migrate");
    var environment = new HashMap<>(TopologyTest.given(database, "strange"));
    environment.remove("LEASEHOLD_ENGINE_PASSWORD");

    assertThat(said(environment, 1, "workers")).contains("LEASEHOLD_ENGINE_PASSWORD");
  }

  private static ServedProgram served(String name) throws IOException {
    database.ensureDatabase(name);
    var environment = new HashMap<>(TopologyTest.given(database, name));
    environment.put("LEASEHOLD_ENGINE_WORKER_NAME", "the worker");
    environment.put("LEASEHOLD_ENGINE_STALE_AFTER", "5s");
    return ServedProgram.start(
        Files.createDirectories(folder.resolve(name)), environment, "--demo");
  }

  private static String said(String name, String... options) throws Exception {
    var arguments = new String[options.length + 1];
    arguments[0] = "workers";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return said(name, 0, arguments);
  }

  private static String said(String name, int exitCode, String... arguments) throws Exception {
    var environment = new HashMap<>(TopologyTest.given(database, name));
    environment.put("LEASEHOLD_ENGINE_STALE_AFTER", "5s");
    return said(environment, exitCode, arguments);
  }

  private static String said(Map<String, String> environment, int exitCode, String... arguments)
      throws Exception {
    var output = Files.createTempFile(folder, "output", "");
    try (var program = RunningProgram.start(output, environment, arguments)) {
      assertThat(program.exitCode()).as(program.said()).isEqualTo(exitCode);
      return program.said();
    }
  }
}
