package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the demonstration shows, however its work is parted among processes. */
abstract class DemonstrationSuite {

  private static final Duration SOON = Duration.ofSeconds(30);

  /** The process that serves the API. */
  abstract ServedProgram served();

  @Test
  void listsATenantsJobsByItsFirstCall() throws Exception {
    var answer = pasted(0);

    assertThat(answer.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(answer.said())
        .startsWith("{\"jobs\":[{\"job_id\":")
        .contains("exports.slow", "imports.flaky", "orders.book", "reports.monthly")
        .endsWith("}\n");
  }

  @Test
  void showsAJobByItsSecondCall() throws Exception {
    var answer = pasted(1);

    assertThat(answer.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(answer.said())
        .contains("\"handler_id\":\"gts.x.core.jobs.handler.v1~leasehold.demo.reports.monthly.v1\"")
        .contains("\"status\":\"");
  }

  @Test
  void followsARunningJobByItsThirdCall() throws Exception {
    try (var stream = pasted(2)) {
      await().atMost(SOON).until(() -> stream.said().contains("event: part_done"));
      var begun = stream.said();

      await().atMost(SOON).until(() -> stream.said().length() > begun.length() + 100);

      assertThat(stream.said()).startsWith(begun).contains("event: queued", "event: started");
      assertThat(stream.process().isAlive()).isTrue();
    }
  }

  @Test
  void showsEachKindOfJob() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              for (var tenant : List.of("acme", "globex")) {
                assertThat(status(tenant, "reports.monthly")).isEqualTo("succeeded");
                assertThat(status(tenant, "imports.flaky")).isEqualTo("succeeded");
                assertThat(status(tenant, "orders.book")).isEqualTo("succeeded");
                assertThat(status(tenant, "exports.slow")).isEqualTo("running");
              }
            });
  }

  @Test
  void retriesAFlakyJob() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(served().job("acme", "imports.flaky").path("attempts").asInt())
                    .isEqualTo(2));
  }

  @Test
  void countsATenantsOwnBookingsOnly() throws Exception {
    await().atMost(SOON).until(() -> status("globex", "orders.book").equals("succeeded"));
    var id = served().job("globex", "orders.book").path("job_id").asString();

    var result = served().get("/api/v1/jobs/" + id + "/result", served().token("globex"));

    assertThat(result.body()).contains("\"customer\":\"Ann of globex\"", "\"bookings\":1");
  }

  @Test
  void showsATenantNoJobsOfTheOther() throws Exception {
    var id = served().job("acme", "exports.slow").path("job_id").asString();

    assertThat(served().get("/api/v1/jobs/" + id, served().token("acme")).statusCode())
        .isEqualTo(200);
    assertThat(served().get("/api/v1/jobs/" + id, served().token("globex")).statusCode())
        .isEqualTo(404);
    assertThat(served().get("/api/v1/jobs/" + id, "").statusCode()).isEqualTo(401);
  }

  private String status(String tenant, String handler) throws Exception {
    return served().job(tenant, handler).path("status").asString();
  }

  private RunningProgram pasted(int place) throws IOException {
    assumeTrue(hasCurl(), "curl is not installed");
    var line =
        served().program().said().lines().filter(it -> it.startsWith("curl ")).toList().get(place);
    var output = Files.createTempFile(served().folder(), "pasted", "");
    return RunningProgram.start(output, Map.of(), List.of("sh", "-c"), line);
  }

  private static boolean hasCurl() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(it -> Files.isExecutable(Path.of(it, "curl")));
  }
}
