package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration in direct mode, with a slot for one job: the others are refused. */
class DirectDemonstrationTest {

  @TempDir private static Path folder;

  private static ServedProgram served;

  @BeforeAll
  static void start() throws Exception {
    served =
        ServedProgram.start(
            folder,
            Map.of("LEASEHOLD_ENGINE_MODE", "Direct", "LEASEHOLD_ENGINE_DIRECT_CONCURRENCY", "1"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void theProgramStartsAndSaysWhichJobsAreRefused() throws Exception {
    assertThat(served.get("/readyz", "").statusCode()).isEqualTo(200);
    assertThat(served.program().said())
        .contains(
            "refused   3 of the demonstration's jobs of acme: this process runs 1 jobs, and takes"
                + " at most 1 at once\n")
        .contains("refused   4 of the demonstration's jobs of globex: ");
  }

  @Test
  void theJobWithTheSlotRunsAndTheDelayedJobsWait() throws Exception {
    assertThat(served.job("acme", "exports").path("status").asString()).isEqualTo("running");
    assertThat(served.jobs("acme")).hasSize(2);
    assertThat(served.jobs("globex")).hasSize(1);
  }

  @Test
  void theCallsToPasteNameJobsThatExist() {
    assertThat(served.program().said().lines().filter(line -> line.startsWith("curl ")))
        .hasSize(2)
        .allMatch(line -> line.endsWith("/jobs") || line.endsWith("/events/stream"));
  }
}
