package io.leasehold.rest;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.rest.stack.Answer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Setup;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What people do with jobs, wherever their parts run: the same in every topology. */
@ParameterizedClass
@EnumSource(EndToEndTest.Topology.class)
class EndToEndTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  /** Longer than all of it takes, and shorter than waiting for anything that is only looked at. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private static List<RestStack> stacks = List.of();

  private final Gate gate = new Gate();
  private final ApiClient client;

  EndToEndTest(Topology topology) {
    this.client = api().client(ACME, ADMIN);
  }

  enum Topology {
    ONE_FOR_ALL {
      @Override
      List<Setup> parts(Setup setup) {
        return List.of(setup);
      }
    },
    ONE_FOR_EACH_ROLE {
      @Override
      List<Setup> parts(Setup setup) {
        return List.of(setup.apiOnly(), setup.only(Role.WORKER), setup.only(Role.MAINTENANCE));
      }
    };

    /** Who belongs to it; the first serves. */
    abstract List<Setup> parts(Setup setup);
  }

  @BeforeParameterizedClassInvocation
  static void start(Topology topology) {
    var setup = Setup.create().engine(config -> config.cancelGrace(Duration.ofMillis(50)));
    stacks = topology.parts(setup).stream().map(part -> part.on(database)).toList();
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stacks.forEach(RestStack::close);
  }

  @AfterEach
  void open() {
    gate.open();
  }

  @Test
  void showAJobFromItsBeginningToItsResult() {
    var id = submitGate();
    gate.step(2);
    await().atMost(SOON).until(() -> kinds(id).size() == 4);
    gate.open();

    assertThat(awaitEnd(id).word("status")).isEqualTo("succeeded");
    var result = client.get(path(id, "/result")).json();
    assertThat(result.path("output").asInt()).isEqualTo(2);
    assertThat(kinds(id)).containsExactly("queued", "started", "log", "log", "succeeded");
    assertThat(client.get("/api/v1/jobs?limit=1").body()).contains(id.toString());
    assertThat(client.get(path(id, "/explanation")).word("status")).isEqualTo("succeeded");
  }

  @Test
  void followAJobWhileItRuns() {
    var id = submitGate();
    try (var stream = client.stream(path(id, "/events/stream"));
        var lines = client.stream(path(id, "/events?follow=true"))) {
      for (var n = 1; n <= 3; n++) {
        var seen = 2 + n; // with queued and started
        gate.step(1);
        await().atMost(SOON).until(() -> stream.cursors().size() == seen);
        await().atMost(SOON).until(() -> lines.cursors().size() == seen);
      }
      gate.open();

      await().atMost(SOON).until(() -> stream.end().equals("whole"));
      await().atMost(SOON).until(() -> lines.end().equals("whole"));
      assertThat(stream.events()).isEqualTo(history(id));
      assertThat(lines.lines()).isEqualTo(history(id));
    }
  }

  @Test
  void answerALongPollWhenTheJobEnds() {
    var id = submitGate();
    var poll = CompletableFuture.supplyAsync(() -> client.get(path(id, "?wait=60s")));
    awaitStatus(id, "running");
    gate.open();

    assertThat(poll.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join())
        .extracting(answer -> answer.word("status"))
        .isEqualTo("succeeded");
  }

  @Test
  void cancelARunningJob() {
    var id = submitGate();
    awaitStatus(id, "running");

    assertThat(client.post(path(id, "/cancel")).word("outcome")).isEqualTo("requested");

    assertThat(awaitEnd(id).word("status")).isEqualTo("cancelled");
    assertThat(kinds(id)).containsExactly("queued", "started", "cancel_requested", "cancelled");
    assertThat(client.post(path(id, "/cancel")).status()).isEqualTo(409);
  }

  @Test
  void cancelAWaitingJob() {
    var later = Works.TYPE.request("later").delay(Duration.ofHours(1));
    var id = api().jobs().submit(RestStack.caller(ACME), later).jobId();

    assertThat(client.post(path(id, "/cancel")).word("outcome")).isEqualTo("cancelled");

    assertThat(awaitEnd(id).word("status")).isEqualTo("cancelled");
  }

  @Test
  void retryAJobAutomatically() {
    var tries = new AtomicInteger();
    var id =
        api()
            .submit(
                ACME,
                (job, name) -> {
                  if (tries.incrementAndGet() < 3) {
                    throw new IllegalStateException("not yet");
                  }
                  return tries.get();
                });

    assertThat(awaitEnd(id).word("status")).isEqualTo("succeeded");
    assertThat(kinds(id))
        .containsExactly(
            "queued",
            "started",
            "retry_scheduled",
            "started",
            "retry_scheduled",
            "started",
            "succeeded");
  }

  @Test
  void retryAFailedJobByHand() {
    var tries = new AtomicInteger();
    var id =
        api()
            .submit(
                ACME,
                (job, name) -> {
                  if (tries.incrementAndGet() == 1) {
                    throw new PermanentFailure("out of paper");
                  }
                  return "printed";
                });
    assertThat(awaitEnd(id).word("last_error")).contains("out of paper");
    assertThat(client.get(path(id, "/result")).word("status")).isEqualTo("failed");

    assertThat(client.post(path(id, "/retry")).word("outcome")).isEqualTo("queued");

    awaitStatus(id, "succeeded");
    assertThat(client.get(path(id, "/result")).word("output")).isEqualTo("printed");
    assertThat(client.post(path(id, "/retry")).status()).isEqualTo(409);
  }

  @Test
  void deleteARunningJobByForce() {
    var id = submitGate();
    awaitStatus(id, "running");
    assertThat(client.delete(path(id, "")).status()).isEqualTo(409);

    assertThat(client.delete(path(id, "?force=true")).status()).isEqualTo(202);

    await().atMost(SOON).until(() -> client.get(path(id, "")).status() == 404);
    assertThat(client.get("/api/v1/jobs").body()).doesNotContain(id.toString());
  }

  private static RestStack api() {
    return stacks.getFirst();
  }

  private JobId submitGate() {
    return api().submit(ACME, gate);
  }

  private static String path(JobId id, String rest) {
    return "/api/v1/jobs/%s%s".formatted(id, rest);
  }

  private Answer awaitEnd(JobId id) {
    return client.get(path(id, "?wait=%ds".formatted(SOON.toSeconds())));
  }

  private void awaitStatus(JobId id, String status) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(client.get(path(id, "")).word("status")).isEqualTo(status));
  }

  private List<String> history(JobId id) {
    return client
        .header("Accept", "application/x-ndjson")
        .get(path(id, "/events"))
        .body()
        .lines()
        .toList();
  }

  private List<String> kinds(JobId id) {
    return client
        .get(path(id, "/events"))
        .json()
        .path("events")
        .valueStream()
        .map(event -> event.path("kind").asString())
        .toList();
  }
}
