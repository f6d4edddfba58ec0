package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.testkit.Pooler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says of a transaction pooler. Skipped where PgBouncer is not installed. */
class PoolerTest {

  private static final String LISTENING = "pooler: listening connection goes through a pooler";

  @TempDir private static Path folder;

  private static EmbeddedServer server;
  private static DoctorsDatabase database;
  private static Pooler pooler;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(Pooler.program().isPresent(), "PgBouncer is not installed");
    server = EmbeddedServer.temporary(Map.of("fsync", "on"));
    database = DoctorsDatabase.in(server);
    pooler = database.pooler(folder);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      pooler.close();
      server.close();
    }
  }

  @Test
  void isRefusedIfASessionIsNeeded() throws Exception {
    assertSays(1, LISTENING, "doctor", Map.of());
  }

  @Test
  void isRefusedHoweverOftenTheSameProcessAnswers() throws Exception {
    // The pool has one connection to the server, and no other client: every transaction meets the
    // same process, as if there were no pooler.
    for (int i = 0; i < 3; i++) {
      assertSays(1, LISTENING, "doctor", Map.of());
    }
  }

  @Test
  void isAcceptedIfTheListenerBypassesIt() throws Exception {
    assertSays(0, "all is well", "doctor", Map.of("LEASEHOLD_LISTEN_URL", database.jdbcUrl()));
  }

  @Test
  void isAcceptedWithoutNotifications() throws Exception {
    assertSays(0, "all is well", "doctor", Map.of("LEASEHOLD_NOTIFICATIONS", "off"));
  }

  @Test
  void isRefusedForMigrations() throws Exception {
    assertSays(
        1,
        "goes through a pooler, and migrations need a session",
        "migrate",
        Map.of(
            "LEASEHOLD_ADMIN_USER",
            EmbeddedServer.SUPERUSER,
            "LEASEHOLD_ADMIN_PASSWORD",
            server.password()));
  }

  private static void assertSays(
      int exitCode, String words, String command, Map<String, String> others) throws Exception {
    var output = Files.createTempFile(folder, "output", "");
    var environment = DoctorsDatabase.environment(pooler.jdbcUrl(database.name()), others);
    try (var program = RunningProgram.start(output, environment, command)) {
      assertThat(program.exitCode()).as(program.said()).isEqualTo(exitCode);
      assertThat(program.said()).contains(words).doesNotContain("\tat ");
    }
  }
}
