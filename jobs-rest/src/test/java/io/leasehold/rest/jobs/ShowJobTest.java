package io.leasehold.rest.jobs;

import static io.leasehold.rest.stack.RestStack.ACME;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShowJobTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static RestStack stack;
  static ApiClient acme;

  private final Gate gate = new Gate();

  @BeforeAll
  static void start() {
    stack =
        RestStack.on(
            database,
            config ->
                config.limits(
                    config
                        .limits()
                        .slowAfter(Duration.ofMillis(500))
                        .waitMost(Duration.ofSeconds(3))));
    acme = stack.client(ACME);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @AfterEach
  void letEnd() {
    gate.open();
  }

  @Test
  void showsAJob() {
    var id =
        stack.done(
            ACME,
            (job, name) -> {
              job.progress(70, "on its way");
              throw new IllegalStateException("lost the way");
            });

    var answer = acme.get(path(id));

    assertThat(answer.word("job_id")).isEqualTo(id.toString());
    assertThat(answer.word("tenant_id")).isEqualTo(ACME.toString());
    assertThat(answer.word("status")).isEqualTo("failed");
    assertThat(answer.word("last_error")).contains("lost the way");
    assertThat(answer.json().path("attempts").asInt(0)).isEqualTo(3);
    assertThat(answer.json().path("progress").path("note").asString("")).isEqualTo("on its way");
  }

  @Test
  void isNotSentAgainForAKnownEtag() {
    var id = stack.done(ACME, (job, name) -> "done");
    var tag = acme.get(path(id)).header("ETag");

    var same = acme.header("If-None-Match", "\"other\", W/" + tag).get(path(id));
    assertThat(same.status()).isEqualTo(304);
    assertThat(same.header("ETag")).isEqualTo(tag);
    assertThat(acme.header("If-None-Match", "\"other\"").get(path(id)).status()).isEqualTo(200);
  }

  @Test
  void waitsForTheEnd() throws Exception {
    var id = stack.submit(ACME, gate);
    var waiting = ask(acme, id);
    await().until(() -> acme.get(path(id)).word("status").equals("running"));
    gate.open();

    assertThat(waiting.get(2, TimeUnit.SECONDS).word("status")).isEqualTo("succeeded");
  }

  @Test
  void waitsForAChange() throws Exception {
    var id = stack.submit(ACME, gate);
    await().until(() -> acme.get(path(id)).word("status").equals("running"));
    // What began to run shows when it is stored that it did.
    var known = acme.get(path(id)).header("ETag");
    var waiting = ask(acme.header("If-None-Match", known), id);
    gate.open();

    assertThat(waiting.get(2, TimeUnit.SECONDS).status()).isEqualTo(200);
  }

  @Test
  void waitsNoLongerThanItsLimit() {
    var id = stack.submit(ACME, gate);
    var begun = System.nanoTime();

    // Six times as long as a connection may be idle.
    var answer = acme.get(path(id) + "?wait=100s");

    assertThat(answer.word("status")).isEqualTo("running");
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(10));
  }

  @Test
  void refusesAnInvalidWait() {
    var id = stack.submit(ACME, gate);

    assertThat(acme.get(path(id) + "?wait=soon").problem()).isEqualTo("parameter-refused");
    assertThat(acme.get(path(id) + "?wait=1s&wait=2s").problem()).isEqualTo("parameter-refused");
    assertThat(acme.get(path(id) + "?hurry=1").problem()).isEqualTo("parameter-refused");
  }

  private static CompletableFuture<Answer> ask(ApiClient client, JobId id) {
    return supplyAsync(() -> client.get(path(id) + "?wait=30s"));
  }

  private static String path(JobId id) {
    return "/api/v1/jobs/" + id;
  }
}
