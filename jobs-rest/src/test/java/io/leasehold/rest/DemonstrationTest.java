package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer gets who starts the program without a word: one process that does it all. */
class DemonstrationTest extends DemonstrationSuite {

  @TempDir private static Path folder;

  private static ServedProgram served;

  @BeforeAll
  static void start() throws IOException {
    served = ServedProgram.start(folder, Map.of());
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Override
  ServedProgram served() {
    return served;
  }

  @Test
  void printsItsUrlAndTokens() {
    assertThat(served.program().said())
        .contains("serving   " + served.url() + " as api, worker, maintenance\n")
        .contains("token     acme    " + served.token("acme") + "\n")
        .contains("token     globex  " + served.token("globex") + "\n");
  }

  @Test
  void warnsAboutItsIssuer() {
    assertThat(served.program().said())
        .contains("WARN", "THE DEVELOPMENT ISSUER IS ON")
        .contains(folder.resolve("data/development-issuer/key.json").toString())
        .contains("Anyone who has this file can make tokens for any tenant");
  }

  @Test
  void servesHealthAndMetrics() throws Exception {
    assertThat(served.get("/healthz", "").statusCode()).isEqualTo(200);
    assertThat(served.get("/readyz", "").body())
        .contains("\"database\":\"up\"", "\"worker\":\"up\"");
    assertThat(served.get("/metrics", "").body())
        .contains("leasehold_attempts_run_seconds_count", "jvm_memory_used_bytes");
  }

  @Test
  void readyFileHasTheUrlAndTokens() throws Exception {
    var ready = served.ready();

    assertThat(ready.propertyNames()).containsExactly("pid", "url", "jdbcUrl", "tokens");
    assertThat(ready.path("pid").asLong()).isEqualTo(served.program().process().pid());
    assertThat(ready.path("url").asString()).matches("http://127\\.0\\.0\\.1:[1-9][0-9]+");
    assertThat(ready.path("tokens").propertyNames()).containsExactly("acme", "globex");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("ready"))))
        .isEqualTo("rw-------");
  }
}
