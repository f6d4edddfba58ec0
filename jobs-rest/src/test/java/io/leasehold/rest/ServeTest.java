package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program from its start to its end, as a process. */
class ServeTest {

  @TempDir private Path folder;

  @Test
  void keepsItsDatabaseOverRestartsAndDeath() throws Exception {
    try (var first = serve()) {
      assertThat(first.said()).containsPattern("schema    leasehold [0-9]+, from nothing");
      assertThat(first.stop()).isZero();
      assertThat(first.said()).endsWith("stopped\n");
      assertThat(folder.resolve("data/cluster/postmaster.pid")).doesNotExist();
      assertThat(folder.resolve("ready")).doesNotExist();
    }

    try (var second = serve()) {
      assertThat(second.said()).containsPattern("schema    leasehold [0-9]+\n");
      second.kill();
      assertThat(folder.resolve("data/cluster/postmaster.pid")).exists();
      assertThat(folder.resolve("ready")).exists();
    }

    try (var third = serve()) {
      assertThat(third.said()).containsPattern("schema    leasehold [0-9]+\n");
      assertThat(third.stop()).isZero();
    }
  }

  @Test
  void writesTheReadyFile() throws Exception {
    try (var program = serve()) {
      assertThat(folder.resolve("ready"))
          .content()
          .contains("\"pid\": " + program.process().pid())
          .contains("\"jdbcUrl\": \"jdbc:postgresql://localhost:");
      assertThat(program.stop()).isZero();
    }
  }

  @Test
  void doctorExaminesARunningProgram() throws Exception {
    try (var program = serve();
        var doctor = start(Map.of(), "doctor", "--data", folder.resolve("data").toString())) {
      assertThat(doctor.exitCode()).as(doctor.said()).isZero();

      assertThat(doctor.said()).contains("of a server that runs already", "all is well");
      assertThat(program.stop()).isZero();
    }
  }

  @Test
  void servesFromAGivenDatabase() throws Exception {
    try (var server = EmbeddedServer.in(folder.resolve("given"), Map.of());
        var program =
            start(
                Map.of(
                    "LEASEHOLD_JDBC_URL",
                    server.jdbcUrl("postgres") + "?connectTimeout=9&sslpassword=sesame",
                    "LEASEHOLD_ADMIN_USER",
                    EmbeddedServer.SUPERUSER,
                    "LEASEHOLD_ADMIN_PASSWORD",
                    server.password(),
                    "LEASEHOLD_TENANT_PASSWORD",
                    "one",
                    "LEASEHOLD_ENGINE_PASSWORD",
                    "two"))) {
      await().atMost(Duration.ofSeconds(60)).until(program::isReady);

      assertThat(program.said())
          .contains(server.jdbcUrl("postgres") + "?connectTimeout=9&sslpassword=*** (given)")
          .doesNotContain("sesame");
      assertThat(folder.resolve("ready"))
          .content()
          .contains("?connectTimeout=9&sslpassword=***\"")
          .doesNotContain("sesame");
      assertThat(folder.resolve("data")).doesNotExist();
      assertThat(program.stop()).isZero();
    }
  }

  @Test
  void stopsDuringAStartThatWaits() throws Exception {
    try (var server = EmbeddedServer.temporary(Map.of("fsync", "on"));
        var database = DoctorsDatabase.in(server);
        var connection =
            DriverManager.getConnection(
                database.jdbcUrl(), EmbeddedServer.SUPERUSER, server.password());
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE leasehold.flyway_schema_history");
      try (var program = start(DoctorsDatabase.environment(database.jdbcUrl(), Map.of()))) {
        await().until(() -> program.said().contains("\nroles "));

        assertThat(program.stop()).isZero();
        assertThat(program.said()).endsWith("stopped\n").doesNotContain("\nready ");
      }
    }
  }

  @Test
  void isNotReportedReadyAfterAStop() throws Exception {
    try (var program = start(Map.of())) {
      await().until(() -> Files.exists(folder.resolve("data/server.log")));

      assertThat(program.stop()).isZero();

      assertThat(program.said()).endsWith("stopping\nstopped\n").doesNotContain("\tat ");
      assertThat(folder.resolve("data/cluster/postmaster.pid")).doesNotExist();
    }
  }

  @Test
  void endsWithItsServer() throws Exception {
    try (var program = serve()) {
      killServer();

      assertThat(program.exitCode()).as(program.said()).isEqualTo(1);

      assertThat(program.said())
          .containsOnlyOnce("leasehold: the database's server has ended by itself")
          .doesNotContain("stopping", "\tat ");
      assertThat(folder.resolve("ready")).doesNotExist();
    }
  }

  @Test
  void stopsCleanlyAfterItsServerWasKilled() throws Exception {
    try (var program = serve()) {
      killServer();
      program.stop();

      assertThat(program.said()).doesNotContain("\tat ");
      assertThat(folder.resolve("ready")).doesNotExist();
    }
  }

  @Test
  void stopsItsServerEvenIfTheReadyFileCannotBeDeleted() throws Exception {
    try (var program = serve()) {
      var ready = folder.resolve("ready");
      Files.delete(ready);
      Files.createDirectories(ready.resolve("in the way"));

      assertThat(program.stop()).isEqualTo(1);

      assertThat(program.said()).contains("not stopped in order: cannot delete the ready file");
      assertThat(folder.resolve("data/cluster/postmaster.pid")).doesNotExist();
    }
  }

  private void killServer() throws IOException {
    var pid = Files.readAllLines(folder.resolve("data/cluster/postmaster.pid")).getFirst();
    ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
  }

  private RunningProgram serve() throws IOException {
    var program = start(Map.of());
    await().atMost(Duration.ofSeconds(60)).until(program::isReady);
    return program;
  }

  private RunningProgram start(Map<String, String> environment) throws IOException {
    return start(
        environment,
        "--data",
        folder.resolve("data").toString(),
        "--ready-file",
        folder.resolve("ready").toString());
  }

  private RunningProgram start(Map<String, String> environment, String... args) throws IOException {
    return RunningProgram.start(Files.createTempFile(folder, "output", ""), environment, args);
  }
}
