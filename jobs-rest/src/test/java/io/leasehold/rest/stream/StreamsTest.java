package io.leasehold.rest.stream;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.inject.Key;
import io.leasehold.jobs.JobId;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.LiveStream;
import io.leasehold.rest.stack.RawHttp;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StreamsTest {

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
                        .keepAliveEvery(Duration.ofMillis(100))
                        .streamsPerTenant(60)
                        .streamsPerPrincipal(60)));
    acme = stack.client(ACME, ADMIN);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @AfterEach
  void nobodyFollowsAnyMore() {
    gate.open();
    await().untilAsserted(() -> assertThat(tails().count()).isZero());
  }

  @Test
  void resumeAtTheClientsCursor() {
    var id = stack.submit(ACME, gate);
    gate.step(3);
    var seen = new ArrayList<String>();
    try (var first = acme.stream(path(id, "events/stream"))) {
      await().until(() -> count(first, "event: log") == 3);
      seen.addAll(first.cursors());
    }
    gate.step(250);
    gate.open();
    awaitEnd(id);

    try (var second =
        acme.header("Last-Event-ID", seen.getLast()).stream(path(id, "events/stream?after=0.0"))) {
      await().until(() -> second.end().equals("whole"));
      seen.addAll(second.cursors());
    }

    assertThat(seen).isEqualTo(history(id));
  }

  @Test
  void areTheSameForAllFollowersOfAJob() {
    var id = stack.submit(ACME, gate);
    var streams =
        IntStream.range(0, 50)
            .mapToObj(
                i -> acme.stream(path(id, i % 2 == 0 ? "events/stream" : "events?follow=true")))
            .toList();
    gate.step(7);
    await().untilAsserted(() -> assertThat(tails().count()).isEqualTo(1));
    gate.step(400);
    gate.open();

    await()
        .untilAsserted(() -> assertThat(streams).allMatch(stream -> stream.end().equals("whole")));
    var history = history(id);
    assertThat(streams).allSatisfy(stream -> assertThat(stream.cursors()).isEqualTo(history));
    streams.forEach(LiveStream::close);
  }

  @Test
  void sendKeepAlives() {
    var id = stack.submit(ACME, gate);
    try (var events = acme.stream(path(id, "events/stream"));
        var lines = acme.stream(path(id, "events?follow=true"))) {
      await().until(() -> count(events, ": keep-alive") >= 2 && count(lines, "") >= 2);
    }
  }

  @Test
  void endWhenTheTokenExpires() {
    var id = stack.submit(ACME, gate);
    var token = stack.issuer().shortToken(ACME, Duration.ofSeconds(2));
    try (var stream = stack.client().token(token).stream(path(id, "events/stream"))) {
      await().until(() -> stream.end().equals("whole"));

      assertThat(stream.lines()).contains("event: end", "data: {\"reason\":\"expired\"}");
    }
  }

  @Test
  void endWhenTheJobEnds() {
    var id = stack.submit(ACME, gate);
    try (var stream = acme.stream(path(id, "events/stream"))) {
      gate.open();
      await().until(() -> stream.end().equals("whole"));

      assertThat(stream.lines()).contains("event: succeeded", "data: {\"reason\":\"over\"}");
      var last = stream.cursors().getLast();
      var again = acme.header("Last-Event-ID", last).get(path(id, "events/stream"));
      assertThat(again.status()).isEqualTo(204);
    }
  }

  @Test
  void areNotDelayedByAFutureCursor() {
    var id = stack.submit(ACME, gate);
    try (var ahead = acme.stream(path(id, "events/stream?after=999999999999999999.0"));
        var other = acme.stream(path(id, "events/stream"))) {
      await().until(() -> count(ahead, ": keep-alive") >= 2 && count(other, ": keep-alive") >= 2);
      gate.step(3);
      await().until(() -> count(other, "event: log") == 3);
      gate.open();

      await().until(() -> other.end().equals("whole") && ahead.end().equals("whole"));
      assertThat(other.cursors()).isEqualTo(history(id));
      assertThat(ahead.cursors()).isEmpty();
    }
  }

  @Test
  void endWhenTheJobIsDeleted() {
    var id =
        stack
            .jobs()
            .submit(RestStack.caller(ACME), Works.TYPE.request("never").delay(Duration.ofHours(1)))
            .jobId();
    try (var stream = acme.stream(path(id, "events/stream"))) {
      await().until(() -> count(stream, "event: queued") == 1);
      assertThat(acme.delete("/api/v1/jobs/" + id).status()).isEqualTo(204);

      await().until(() -> stream.end().equals("whole"));
      assertThat(stream.lines()).contains("data: {\"reason\":\"closed\"}");
    }
  }

  @Test
  void giveEachClientAnotherRetryDelay() {
    var id = stack.submit(ACME, gate);
    var streams =
        IntStream.range(0, 30).mapToObj(i -> acme.stream(path(id, "events/stream"))).toList();

    await().until(() -> streams.stream().noneMatch(stream -> stream.lines().isEmpty()));

    var pauses =
        streams.stream()
            .map(stream -> Integer.parseInt(stream.lines().getFirst().replace("retry: ", "")))
            .toList();
    assertThat(pauses).allMatch(pause -> pause >= 1_000 && pause < 2_000);
    assertThat(Set.copyOf(pauses)).hasSizeGreaterThan(15);
    streams.forEach(LiveStream::close);
  }

  @Test
  void endAtOnceForAHeadRequest() {
    var id = stack.submit(ACME, gate);

    for (var stream : List.of("events/stream", "events?follow=true")) {
      var answer = acme.send("HEAD", path(id, stream), "");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
    }
  }

  @Test
  void areLimitedInNumber() {
    var id = stack.submit(ACME, gate);
    var streams =
        IntStream.range(0, 60).mapToObj(i -> acme.stream(path(id, "events/stream"))).toList();

    var refused = acme.get(path(id, "events/stream"));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.problem()).isEqualTo("too-many-streams");
    assertThat(acme.get("/api/v1/jobs/" + id).status()).isEqualTo(200);

    streams.forEach(LiveStream::close);
    await().until(() -> acme.get("/api/v1/jobs/" + id + "?wait=1s").status() == 200);
  }

  @Test
  void areAvailableAfterManyAbandonedLongPolls() throws IOException {
    var id = stack.submit(ACME, gate);
    var path = path(id, "events/stream").replace("/events/stream", "?wait=60s");
    var request =
        "GET %s HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(path, stack.issuer().token(ACME));
    for (var i = 0; i < 60; i++) {
      leave(request);
    }
    await()
        .until(
            () -> {
              leave(request); // The server may have dropped an earlier poll when its client left.
              return acme.get(path.replace("60s", "1s")).problem().equals("too-many-streams");
            });

    try (var stream = acme.stream(path(id, "events/stream"))) {
      assertThat(stream.status()).isEqualTo(200);
    }
  }

  private void leave(String request) throws IOException {
    try (var poll = RawHttp.to(stack)) {
      poll.send(request.getBytes(ISO_8859_1));
    }
  }

  @Test
  void slowReadsAreAnsweredAsUnavailable() {
    var reads =
        new ReadTurns(stack.jobs(), new FairTurns(0), Duration.ZERO, new SimpleMeterRegistry());

    assertThatThrownBy(() -> reads.find(RestStack.caller(ACME), new JobId(UUID.randomUUID())))
        .isInstanceOfSatisfying(
            RequestRefusal.class, it -> assertThat(it.problem()).isEqualTo(Problem.UNAVAILABLE));
  }

  @Test
  void revealNothingOfForeignJobs() {
    var id = stack.submit(GLOBEX, gate);

    assertThat(acme.get(path(id, "events/stream")).status()).isEqualTo(404);
    assertThat(acme.get(path(id, "events?follow=true")).status()).isEqualTo(404);
    assertThat(acme.get(path(new JobId(UUID.randomUUID()), "events/stream")).status())
        .isEqualTo(404);
  }

  @Test
  void refuseAnInvalidCursor() {
    var id = stack.submit(ACME, gate);

    assertThat(acme.get(path(id, "events/stream?after=x")).problem())
        .isEqualTo("parameter-refused");
    assertThat(acme.header("Last-Event-ID", "0.-1").get(path(id, "events/stream")).problem())
        .isEqualTo("parameter-refused");
  }

  @Test
  void endWhenTheServerStops() {
    try (var other = RestStack.on(database)) {
      var later = Works.TYPE.request("").delay(Duration.ofHours(1));
      var id = other.jobs().submit(RestStack.caller(ACME), later).jobId();
      try (var stream = other.client(ACME).stream(path(id, "events/stream"))) {
        await().until(() -> count(stream, "event: queued") == 1);
        other.stopServing();

        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertThat(stream.end()).isEqualTo("whole"));
        assertThat(stream.lines()).contains("data: {\"reason\":\"closed\"}");
      }
    }
  }

  private static Tails tails() {
    return stack.inside(Key.get(Tails.class));
  }

  private static String path(JobId id, String rest) {
    return "/api/v1/jobs/%s/%s".formatted(id, rest);
  }

  private static long count(LiveStream stream, String line) {
    return stream.lines().stream().filter(line::equals).count();
  }

  private static void awaitEnd(JobId id) {
    stack.jobs().await(RestStack.caller(ACME), id, Duration.ofSeconds(20));
  }

  /** The cursors of all of a job's events, page by page. */
  private static List<String> history(JobId id) {
    var cursors = new ArrayList<String>();
    var over = false;
    var next = "";
    while (!over) {
      var page =
          acme.get(path(id, "events?limit=200" + (next.isEmpty() ? "" : "&after=" + next))).json();
      StreamSupport.stream(page.path("events").spliterator(), false)
          .forEach(event -> cursors.add(event.path("cursor").asString("")));
      next = page.path("next").asString("");
      over = page.path("over").asBoolean(true);
    }
    return cursors;
  }
}
