package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says, and that it exits, when it cannot do what it was told. */
class RefusalTest {

  private static final EmbeddedServer server = EmbeddedServer.temporary(Map.of());

  @TempDir private Path folder;

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void ofAServerThatDoesNotAnswer() throws Exception {
    assertRefused(
        given("jdbc:postgresql://localhost:1/none", Map.of()),
        "leasehold: cannot reach jdbc:postgresql://localhost:1/none");
  }

  @Test
  void ofAWrongPassword() throws Exception {
    assertRefused(
        given(server.jdbcUrl("postgres"), Map.of("LEASEHOLD_ADMIN_PASSWORD", "wrong")),
        "leasehold: wrong password for postgres");
  }

  @Test
  void ofAMissingDatabase() throws Exception {
    assertRefused(
        given(server.jdbcUrl("absent"), Map.of()), "leasehold: there is no database jdbc:");
  }

  @Test
  void ofAnotherKindOfDatabase() throws Exception {
    assertRefused(
        given("jdbc:h2:mem:", Map.of()),
        "leasehold: the database must be given as jdbc:postgresql://host:port/name, not jdbc:h2");
  }

  @Test
  void ofMissingPasswords() throws Exception {
    assertRefused(
        Map.of("LEASEHOLD_JDBC_URL", server.jdbcUrl("postgres")),
        "leasehold: a given database needs the environment variables"
            + " LEASEHOLD_ENGINE_PASSWORD, LEASEHOLD_TENANT_PASSWORD");
  }

  @Test
  void ofAFolderInUse() throws Exception {
    var data = folder.resolve("data");
    try (var _ = EmbeddedServer.in(data, Map.of())) {
      assertRefused(
          Map.of(),
          "leasehold: another process runs a server in " + data,
          "--data",
          data.toString());
    }
  }

  @Test
  void toExamineAMissingDatabase() throws Exception {
    var data = folder.resolve("data").toString();

    assertRefused(
        Map.of(),
        "leasehold: there is no database in %s yet: start the program once".formatted(data),
        "doctor",
        "--data",
        data);
  }

  @Test
  void toExamineAnEmptyFolder() throws Exception {
    var data = Files.createDirectory(folder.resolve("data"));

    assertRefused(
        Map.of(),
        "leasehold: there is no database in %s yet: start the program once".formatted(data),
        "doctor",
        "--data",
        data.toString());
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void ofAFolderWithoutAName() throws Exception {
    assertRefused(
        Map.of(), "leasehold: --data must be a folder, as in ./data, not ''", "--data", "");
  }

  @Test
  void ofEverySettingThatIsWrong() throws Exception {
    var config =
        Files.writeString(
            folder.resolve("bad.conf"), "leasehold.rest.prot = 1\nleasehold.data = x");
    var environment = Map.of("LEASEHOLD_ENGINE_LEASE", "1", "LEASEHOLD_TENANT_PASSWORD", "sesame");
    var output = Files.createTempFile(folder, "output", "");

    try (var program =
        RunningProgram.start(
            output, environment, "--config", config.toString(), "--port", "x", "--roles", "none")) {
      assertThat(program.exitCode()).isEqualTo(1);
      assertThat(program.said())
          .startsWith("leasehold: 4 settings are wrong:\n")
          .contains("- --port must be a whole number, not 'x' (leasehold.rest.port)\n")
          .contains("- --roles must be api, worker, maintenance, not 'none' (leasehold.roles)\n")
          .contains("- LEASEHOLD_ENGINE_LEASE must be a time with its unit, as in 250ms, 30s")
          .contains("- there is no setting leasehold.rest.prot (")
          .contains(": is it leasehold.rest.port?\n")
          .doesNotContain("sesame", "\tat ");
    }
  }

  @Test
  void ofAPortThatIsTaken() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertRefused(
          Map.of(),
          "leasehold: cannot listen on 127.0.0.1:%d: Address already in use"
              .formatted(taken.getLocalPort()),
          "--data",
          folder.resolve("data").toString(),
          "--port",
          String.valueOf(taken.getLocalPort()));
    }
  }

  @Test
  void ofAHostThatIsNotThisMachines() throws Exception {
    var data = folder.resolve("data").toString();

    var said =
        assertRefused(
            Map.of(),
            "leasehold: cannot listen on 192.0.2.1:0: Cannot assign requested address",
            "--data",
            data,
            "--host",
            "192.0.2.1");

    assertThat(said).doesNotContainIgnoringCase("port already", "javalin");
  }

  @Test
  void ofAReadyFileInNoFolder() throws Exception {
    var ready = folder.resolve("absent/ready").toString();

    assertRefusedBeforeItStarts(
        "leasehold: the ready file %s must be in a folder that exists".formatted(ready), ready);
  }

  @Test
  void ofAReadyFileThatIsAFolder() throws Exception {
    assertRefusedBeforeItStarts(
        "leasehold: the ready file must be a file, and '%s' is a folder".formatted(folder),
        folder.toString());
  }

  @Test
  void ofAnOwnServerThatNamesNoProcess() throws Exception {
    var cluster = Files.createDirectories(folder.resolve("data/cluster"));
    Files.writeString(cluster.resolve("PG_VERSION"), "18");
    var pidFile = Files.writeString(cluster.resolve("postmaster.pid"), "rubbish");

    assertRefused(
        Map.of(),
        "leasehold: %s must start with a process id, not 'rubbish'".formatted(pidFile),
        "doctor",
        "--data",
        folder.resolve("data").toString());
  }

  private void assertRefusedBeforeItStarts(String message, String readyFile) throws Exception {
    var data = folder.resolve("data");

    assertRefused(Map.of(), message, "--data", data.toString(), "--ready-file", readyFile);

    assertThat(data).doesNotExist();
  }

  private String assertRefused(Map<String, String> environment, String message, String... args)
      throws IOException, InterruptedException {
    var output = Files.createTempFile(folder, "output", "");
    try (var program = RunningProgram.start(output, environment, args)) {
      assertThat(program.exitCode()).isEqualTo(1);
      assertThat(program.said().lines().toList()).last().asString().startsWith(message);
      assertThat(program.said()).doesNotContain("\tat ");
      return program.said();
    }
  }

  private static Map<String, String> given(String jdbcUrl, Map<String, String> others) {
    var environment =
        new HashMap<>(
            Map.of(
                "LEASEHOLD_JDBC_URL",
                jdbcUrl,
                "LEASEHOLD_ADMIN_USER",
                EmbeddedServer.SUPERUSER,
                "LEASEHOLD_ADMIN_PASSWORD",
                server.password(),
                "LEASEHOLD_TENANT_PASSWORD",
                "one",
                "LEASEHOLD_ENGINE_PASSWORD",
                "two"));
    environment.putAll(others);
    return environment;
  }
}
