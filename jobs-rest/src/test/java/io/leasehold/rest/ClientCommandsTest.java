package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a running server. */
class ClientCommandsTest {

  @TempDir private static Path folder;

  private static ServedProgram served;
  private static String acme = "";

  @BeforeAll
  static void start() throws IOException {
    served = ServedProgram.start(folder, Map.of());
    acme = served.token("acme");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> served.job("acme", "reports").path("status").asString().equals("succeeded"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void listJobs() throws Exception {
    assertThat(said(0, acme, "jobs", "list"))
        .startsWith("JOB ")
        .contains("succeeded", "leasehold.demo.orders.book.v1", "100 % done");
  }

  @Test
  void listJobsByEveryFilter() throws Exception {
    var handler = served.job("acme", "orders").path("handler_id").asString();

    var page =
        said(
            0,
            acme,
            "jobs",
            "list",
            "--handler=" + handler,
            "--queue=orders",
            "--status=succeeded",
            "--correlation-id=demonstration",
            "--created-after=2020-01-01T00:00:00Z",
            "--created-before=2100-01-01T00:00:00Z");

    assertThat(page.lines()).hasSize(2).last().asString().contains("leasehold.demo.orders.book.v1");
    assertThat(said(0, acme, "jobs", "list", "--created-before=2020-01-01T00:00:00Z").lines())
        .hasSize(1);
  }

  @Test
  void listJobsByAHandlerThatTheListShows() throws Exception {
    var shown = said(0, acme, "jobs", "list", "--queue=orders").lines().toList().get(1);
    var handler = shown.split(" +", -1)[2];

    assertThat(said(0, acme, "jobs", "list", "--handler=" + handler)).contains(handler);
  }

  @Test
  void listJobsPageByPage() throws Exception {
    var first = said(0, acme, "jobs", "list", "--limit=1");
    var cursor = first.lines().toList().getLast().replace("more with --cursor ", "");

    var second = said(0, acme, "jobs", "list", "--limit=1", "--cursor=" + cursor);

    assertThat(second.lines().toList().get(1)).isNotEqualTo(first.lines().toList().get(1));
  }

  @Test
  void printTheServersAnswerAsJson() throws Exception {
    assertThat(said(0, acme, "jobs", "list", "--json")).startsWith("{\"jobs\":[{\"job_id\":");
    assertThat(said(0, acme, "handlers", "--json")).startsWith("{\"handlers\":[{\"handler_id\":");
  }

  @Test
  void showAJob() throws Exception {
    assertThat(said(0, acme, "jobs", "show", id("reports"), "--wait=1s"))
        .contains("status          succeeded\n", "progress        100 % done\n");
  }

  @Test
  void showEvents() throws Exception {
    assertThat(said(0, acme, "jobs", "events", id("imports")))
        .containsSubsequence(" queued ", " started ", " retry_scheduled ", " started ");
    assertThat(said(0, acme, "jobs", "events", id("imports"), "--limit=1").lines()).hasSize(1);
  }

  @Test
  void followEventsToTheEnd() throws Exception {
    var all = said(0, acme, "jobs", "events", id("reports"));

    assertThat(said(0, acme, "jobs", "events", id("reports"), "--follow")).isEqualTo(all);
    assertThat(said(0, acme, "jobs", "events", id("reports"), "--follow", "--json").lines())
        .allMatch(line -> line.startsWith("{\"cursor\":"))
        .hasSameSizeAs(all.lines().toList());
  }

  @Test
  void followEventsAsTheyHappen() throws Exception {
    var job = served.job("globex", "exports").path("job_id").asString();
    try (var command = served.command(served.token("globex"), "jobs", "events", job, "-f")) {
      await().atMost(Duration.ofSeconds(30)).until(() -> command.said().contains("part_done"));
      var begun = command.said().length();

      await().atMost(Duration.ofSeconds(30)).until(() -> command.said().length() > begun);

      assertThat(command.process().isAlive()).isTrue();
    }
  }

  @Test
  void cancelRetryAndDelete() throws Exception {
    var job = id("exports");

    assertThat(said(1, acme, "jobs", "delete", job)).startsWith("leasehold: 409 The job runs");
    assertThat(said(0, acme, "jobs", "cancel", job)).isEqualTo("requested\n");
    assertThat(said(0, acme, "jobs", "show", job, "--wait=20s"))
        .contains("status          cancelled\n");
    assertThat(said(1, acme, "jobs", "cancel", job)).startsWith("leasehold: 409 The job is over");
    assertThat(said(0, acme, "jobs", "retry", job)).isEqualTo("queued\n");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> served.job("acme", "exports").path("status").asString().equals("running"));
    assertThat(said(0, acme, "jobs", "delete", job, "--force")).startsWith("requested");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> served.get("/api/v1/jobs/" + job, acme).statusCode() == 404);
    assertThat(said(0, acme, "jobs", "delete", id("imports"))).isEqualTo("deleted\n");
  }

  @Test
  void listHandlers() throws Exception {
    assertThat(said(0, acme, "handlers"))
        .startsWith("HANDLER ")
        .containsPattern("leasehold.demo.orders.book.v1 +orders +yes\n");
  }

  @Test
  void showTheServersHealth() throws Exception {
    assertThat(said(0, "", "health")).startsWith("{\"ready\":true");
    assertThat(said(0, "", "health", "--live")).isEqualTo("{\"status\":\"up\"}\n");
  }

  @Test
  void findAServerOfTheSameSettings() throws Exception {
    var port = URI.create(served.url()).getPort();
    var settings = Map.of("LEASEHOLD_REST_PORT", Integer.toString(port));
    var output = Files.createTempFile(folder, "command", "");
    try (var command = RunningProgram.start(output, settings, "health")) {
      assertThat(command.exitCode()).as(command.said()).isZero();
    }
  }

  @Test
  void reportAnUnknownJob() throws Exception {
    assertThat(said(4, acme, "jobs", "show", UUID.randomUUID().toString()))
        .startsWith("leasehold: 404 There is nothing here. (trace ")
        .hasLineCount(1);
    assertThat(said(4, acme, "jobs", "events", UUID.randomUUID().toString(), "--follow"))
        .startsWith("leasehold: 404 ");
  }

  @Test
  void reportTheServersRefusal() throws Exception {
    assertThat(said(1, acme, "jobs", "show", "1"))
        .startsWith("leasehold: 400 The id cannot be one");
    assertThat(said(1, acme, "jobs", "list", "--limit=1000"))
        .startsWith("leasehold: 400 limit must be 1 to 200 (trace ");
    assertThat(said(1, "rubbish", "jobs", "list")).startsWith("leasehold: 401 A valid token");
  }

  @Test
  void requireAToken() throws Exception {
    try (var command = served.command(Map.of(), "jobs", "list")) {
      assertThat(command.exitCode()).isEqualTo(1);
      assertThat(command.said()).startsWith("leasehold: a token is needed: in LEASEHOLD_TOKEN");
    }
  }

  @Test
  void reportAnUnreachableServer() throws Exception {
    var nowhere = Map.of("LEASEHOLD_URL", "http://127.0.0.1:1", "LEASEHOLD_TOKEN", acme);
    try (var command = served.command(nowhere, "jobs", "list")) {
      assertThat(command.exitCode()).isEqualTo(3);
      assertThat(command.said())
          .isEqualTo("leasehold: cannot reach a server at http://127.0.0.1:1\n");
    }
  }

  @Test
  void acceptTokensOfTheDevelopmentIssuer() throws Exception {
    var data = folder.resolve("data").toString();
    var token = said(0, "", "token", "--data", data, "--tenant=globex", "--principal=bob");
    var file = Files.writeString(folder.resolve("token"), token);

    assertThat(said(0, "", "jobs", "list", "--json", "--token-file=" + file))
        .contains("\"tenant_id\":\"00000000-0000-4000-8000-0000000000b2\"")
        .doesNotContain("00000000-0000-4000-8000-0000000000a1");
    assertThat(said(1, "", "jobs", "cancel", "--token-file=" + file, UUID.randomUUID().toString()))
        .startsWith("leasehold: 403 The token has not the role");
  }

  @Test
  void makeTokensWithTheRequestedRoles() throws Exception {
    var data = folder.resolve("data").toString();
    var tenant = "00000000-0000-4000-8000-0000000000c3";

    var token =
        said(0, "", "token", "--data", data, "--tenant", tenant, "--role=jobs.admin", "--for=1m");

    assertThat(said(4, token.strip(), "jobs", "cancel", UUID.randomUUID().toString()))
        .startsWith("leasehold: 404 ");
  }

  @Test
  void refuseToMakeOtherTokens() throws Exception {
    var data = folder.resolve("data").toString();

    assertThat(said(1, "", "token", "--data", data, "--tenant=initech"))
        .startsWith("leasehold: --tenant must be acme, globex, or an id of 36 characters");
    assertThat(said(1, "", "token", "--data", data, "--tenant=acme", "--for=1y"))
        .startsWith("leasehold: --for must be a time with its unit");
    assertThat(said(1, "", "token", "--data", data, "--tenant=acme", "--for=31d"))
        .contains("30d, not 31d");
    assertThat(said(1, "", "token", "--data", folder.toString(), "--tenant=acme"))
        .startsWith("leasehold: there is no development issuer in ");
  }

  @Test
  void requireAnAction() throws Exception {
    assertThat(said(2, acme, "jobs")).contains("Usage: run jobs", "cancel", "retry");
  }

  private static String id(String handler) throws Exception {
    return served.job("acme", handler).path("job_id").asString();
  }

  private static String said(int exitCode, String token, String... args) throws Exception {
    try (var command = served.command(token, args)) {
      assertThat(command.exitCode()).as(command.said()).isEqualTo(exitCode);
      return command.said();
    }
  }
}
