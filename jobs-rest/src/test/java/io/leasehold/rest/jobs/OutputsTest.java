package io.leasehold.rest.jobs;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobContext;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Setup;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of jobs, listed and downloaded. */
class OutputsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String TEXT = "0123456789";
  private static final String SHA256 =
      "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882";
  private static final String TAG = "\"" + SHA256 + "\"";

  static Setup setup;
  static RestStack stack;
  static String outputs;

  @BeforeAll
  static void start() {
    setup = Setup.create();
    stack = setup.on(database);
    var id = stack.done(ACME, (job, name) -> leave(job));
    outputs = "/api/v1/jobs/%s/outputs".formatted(id);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  private static String leave(JobContext job) throws IOException {
    job.output("empty", "text/plain", out -> {});
    return job.output("page.html", "text/html", out -> out.write(TEXT.getBytes(US_ASCII))).name();
  }

  @Test
  void areListed() {
    var list = stack.client(ACME).get(outputs).json().path("outputs");

    assertThat(list).hasSize(2);
    assertThat(list.path(1).path("name").asString("")).isEqualTo("page.html");
    assertThat(list.path(1).path("media_type").asString("")).isEqualTo("text/html");
    assertThat(list.path(1).path("size").asInt(0)).isEqualTo(10);
    assertThat(list.path(1).path("sha256").asString("")).isEqualTo(SHA256);
  }

  @Test
  void areEmptyForAJobWithoutOutputs() {
    var id = stack.done(ACME, (job, name) -> "done");

    var list = stack.client(ACME).get("/api/v1/jobs/%s/outputs".formatted(id));

    assertThat(list.json().path("outputs")).isEmpty();
  }

  /** A browser that showed it would run its scripts as this service's. */
  @Test
  void areSentAsAttachments() {
    var answer = stack.client(ACME).get(outputs + "/page.html");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(TEXT);
    assertThat(answer.header("Content-Type")).isEqualTo("application/octet-stream");
    assertThat(answer.header("Content-Disposition"))
        .isEqualTo("attachment; filename=\"page.html\"");
    assertThat(answer.header("Content-Length")).isEqualTo("10");
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.header("Accept-Ranges")).isEqualTo("bytes");
    assertThat(answer.header("ETag")).isEqualTo(TAG);
    assertThat(stack.client(ACME).get(outputs + "/empty").body()).isEmpty();
  }

  @Test
  void areNotSentAgainForAKnownEtag() {
    var client = stack.client(ACME);

    assertThat(client.header("If-None-Match", TAG).get(outputs + "/page.html").status())
        .isEqualTo(304);
    assertThat(client.header("If-None-Match", "\"x\"").get(outputs + "/page.html").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-3, 0123, bytes 0-3/10",
    "bytes=4-, 456789, bytes 4-9/10",
    "bytes=-3, 789, bytes 7-9/10",
    "bytes=-30, 0123456789, bytes 0-9/10",
    "bytes=9-99, 9, bytes 9-9/10"
  })
  void areSentInParts(String range, String part, String contentRange) {
    var answer = stack.client(ACME).header("Range", range).get(outputs + "/page.html");

    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.body()).isEqualTo(part);
    assertThat(answer.header("Content-Range")).isEqualTo(contentRange);
    assertThat(answer.header("ETag")).isEqualTo(TAG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=3-1", "bytes=0-1,3-4", "bytes=-", "bytes=a-", "lines=0-1", ""})
  void areSentWholeForAnInvalidRange(String range) {
    var answer = stack.client(ACME).header("Range", range).get(outputs + "/page.html");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=10-", "bytes=-0", "bytes=999999999999999999-"})
  void rangesBeyondTheEndAreRefused(String range) {
    var answer = stack.client(ACME).header("Range", range).get(outputs + "/page.html");

    assertThat(answer.status()).isEqualTo(416);
    assertThat(answer.problem()).isEqualTo("range-not-satisfiable");
    assertThat(answer.header("Content-Range")).isEqualTo("bytes */10");
  }

  @Test
  void areSentWholeIfIfRangeDoesNotMatch() {
    var client = stack.client(ACME).header("Range", "bytes=4-");

    assertThat(client.header("If-Range", TAG).get(outputs + "/page.html").status()).isEqualTo(206);
    assertThat(client.header("If-Range", "\"x\"").get(outputs + "/page.html").body())
        .isEqualTo(TEXT);
  }

  @Test
  void foreignAndAbsentOutputsAreAnsweredAlike() {
    var absent = stack.client(ACME).get(outputs + "/absent");
    var foreign = stack.client(GLOBEX).get(outputs + "/page.html");
    var nowhere =
        stack.client(ACME).get("/api/v1/jobs/%s/outputs/page.html".formatted(UUID.randomUUID()));

    assertThat(absent.status()).isEqualTo(404);
    assertThat(withoutTrace(foreign)).isEqualTo(withoutTrace(absent));
    assertThat(withoutTrace(nowhere)).isEqualTo(withoutTrace(absent));
  }

  private static String withoutTrace(Answer answer) {
    return answer.body().replace(answer.header("Trace-Id"), "");
  }

  /** The file is larger than what the system buffers for a client that does not read. */
  @Test
  void slowReadersAreDisconnected() throws IOException {
    var id =
        stack.done(
            ACME,
            (job, name) ->
                job.output("large", "a/b", out -> out.write(new byte[100 << 20])).name());
    var path = "/api/v1/jobs/%s/outputs/large".formatted(id);
    try (var slow = impatient().on(database)) {
      var client = slow.client(ACME).header("Range", "bytes=0-3");
      try (var connection = RawHttp.to(slow)) {
        connection.send(
            "GET %s HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(path, slow.issuer().token(ACME))
                .getBytes(ISO_8859_1));
        // It has the only place by now, and no other request has taken that from it.
        assertThat(connection.read("HEAD").status()).isEqualTo(200);

        assertThat(client.get(path).status()).isEqualTo(429);
        await().atMost(Duration.ofSeconds(30)).until(() -> client.get(path).status() == 206);
      }
    }
  }

  // It runs no jobs: each server's worker knows its own works only, and could claim the other's.
  private static Setup impatient() {
    return setup
        .rest(
            config ->
                config.limits(config.limits().slowAfter(Duration.ofSeconds(2)).streamsPerTenant(1)))
        .apiOnly();
  }
}
