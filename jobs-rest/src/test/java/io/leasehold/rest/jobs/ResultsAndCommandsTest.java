package io.leasehold.rest.jobs;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ResultsAndCommandsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static RestStack stack;
  static ApiClient acme;

  private final Gate gate = new Gate();

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
    acme = stack.client(ACME, ADMIN);
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
  void showAResultToTheLastDigit() {
    var exact = new BigDecimal("12345678901234567890.123456789012345678901");
    var id = stack.done(ACME, (job, name) -> Map.of("sum", exact));

    assertThat(acme.get(path(id, "/result")).body())
        .isEqualTo("{\"status\":\"succeeded\",\"output\":{\"sum\":%s}}".formatted(exact));
  }

  @Test
  void showAnEmptyResult() {
    var id = stack.done(ACME, (job, name) -> Map.of());

    assertThat(acme.get(path(id, "/result")).body()).contains("\"output\":{}");
  }

  @Test
  void showOtherOutcomes() {
    var failed =
        stack.done(
            ACME,
            (job, name) -> {
              throw new PermanentFailure("no paper");
            });
    var running = stack.submit(ACME, gate);

    assertThat(acme.get(path(failed, "/result")).word("error")).contains("no paper");
    assertThat(acme.get(path(running, "/result")).problem()).isEqualTo("not-over");
  }

  @Test
  void explain() {
    var running = stack.submit(ACME, gate);

    await()
        .untilAsserted(
            () ->
                assertThat(acme.get(path(running, "/explanation")).word("reason"))
                    .isEqualTo("running"));
  }

  @Test
  void listTheDependenciesOfAJob() {
    var running = stack.submit(ACME, gate);
    var waiting =
        stack
            .jobs()
            .submit(RestStack.caller(ACME), Works.TYPE.request("").after(running, later()))
            .jobId();

    var page = acme.get(path(waiting, "/dependencies?limit=1"));
    assertThat(page.json().path("jobs").path(0).path("job_id").asString(""))
        .isEqualTo(running.toString());
    assertThat(page.body()).contains(Works.TYPE.handler().value());
    var next = acme.get(path(waiting, "/dependencies?after=" + page.word("next")));
    assertThat(next.json().path("jobs").size()).isEqualTo(1);
    assertThat(next.json().has("next")).isFalse();
    assertThat(acme.get(path(running, "/dependencies")).body()).contains("\"jobs\":[]");
    assertThat(acme.get(path(waiting, "/dependencies?after=1")).status()).isEqualTo(400);
    assertThat(acme.get(path(waiting, "/explanation")).word("reason")).isEqualTo("waits_for_jobs");
  }

  @Test
  void showABatch() {
    var batch = "/api/v1/batches/" + stack.batch(ACME, gate);

    assertThat(acme.get(batch).json().path("jobs").asInt(0)).isEqualTo(1);
    assertThat(acme.get(batch).json().path("percent").asInt(-1)).isZero();
    gate.open();
    await()
        .untilAsserted(
            () ->
                assertThat(acme.get(batch).json().path("counts").path("succeeded").asInt(0))
                    .isEqualTo(1));
    assertThat(acme.get(batch).json().path("over").asBoolean(false)).isTrue();
    assertThat(acme.get("/api/v1/batches/" + running()).status()).isEqualTo(404);
  }

  @Test
  void listTasks() {
    var planned =
        stack.done(
            ACME,
            (job, name) -> {
              tell(job, "load", 1, "running");
              tell(job, "count", 2, "pending");
              tell(job, "load", 1, "succeeded");
              return "done";
            });
    var plain = stack.done(ACME, (job, name) -> "done");

    assertThat(acme.get(path(planned, "/tasks")).body().replaceAll("\"at\":\"[^\"]*\"", ""))
        .isEqualTo(
            "{\"tasks\":["
                + "{\"task_id\":\"load\",\"position\":1,\"status\":\"succeeded\",\"attempt\":1,},"
                + "{\"task_id\":\"count\",\"position\":2,\"status\":\"pending\",\"attempt\":1,}]}");
    assertThat(acme.get(path(plain, "/tasks")).body()).isEqualTo("{\"tasks\":[]}");
  }

  private static void tell(JobContext job, String task, int position, String status) {
    job.event("task_status", Map.of("task_id", task, "position", position, "status", status));
  }

  @Test
  void listHandlers() {
    await()
        .untilAsserted(
            () ->
                assertThat(acme.get("/api/v1/handlers").body())
                    .contains(Works.TYPE.handler().value()));
  }

  @Test
  void cancelWaitingAndRunningJobs() {
    var running = running();
    var waiting = later();

    assertThat(acme.post(path(waiting, "/cancel")).word("outcome")).isEqualTo("cancelled");
    assertThat(acme.post(path(running, "/cancel")).word("outcome")).isEqualTo("requested");
    assertThat(acme.post(path(waiting, "/cancel")).problem()).isEqualTo("too-late");
  }

  @Test
  void retryAFailedJob() {
    var failed =
        stack.done(
            ACME,
            (job, name) -> {
              throw new PermanentFailure("no paper");
            });

    assertThat(acme.post(path(failed, "/retry")).word("outcome")).isEqualTo("queued");
    assertThat(acme.post(path(running(), "/retry")).problem()).isEqualTo("retry-not-needed");
  }

  @Test
  void deleteEndedJobsAndRunningOnesByForce() {
    var running = running();
    var waiting = later();

    assertThat(acme.delete(path(waiting, "")).status()).isEqualTo(204);
    assertThat(acme.get(path(waiting, "")).status()).isEqualTo(404);
    assertThat(acme.delete(path(running, "")).problem()).isEqualTo("running");
    assertThat(acme.delete(path(running, "?force=false")).problem()).isEqualTo("running");
    assertThat(acme.delete(path(running, "?force=true")).status()).isEqualTo(202);
    gate.open();
    await().untilAsserted(() -> assertThat(acme.get(path(running, "")).status()).isEqualTo(404));
  }

  private JobId running() {
    var id = stack.submit(ACME, gate);
    await().until(() -> acme.get(path(id, "")).word("status").equals("running"));
    return id;
  }

  private static JobId later() {
    return stack
        .jobs()
        .submit(RestStack.caller(ACME), Works.TYPE.request("later").delay(Duration.ofHours(1)))
        .jobId();
  }

  private static String path(JobId id, String rest) {
    return "/api/v1/jobs/" + id + rest;
  }
}
