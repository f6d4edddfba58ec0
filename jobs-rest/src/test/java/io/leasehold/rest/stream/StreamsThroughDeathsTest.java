package io.leasehold.rest.stream;

import static io.leasehold.rest.stack.RestStack.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.jobs.JobId;
import io.leasehold.rest.stack.LiveStream;
import io.leasehold.rest.stack.Proof;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Setup;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Streams of jobs whose worker is killed, by clients who are cut off, from servers that end. */
class StreamsThroughDeathsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int SOME = 3;
  private static final int PROOF = 20;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final JsonMapper JSON = new JsonMapper();

  private final Setup setup =
      Setup.create().engine(config -> config.rescueEvery(Duration.ofMillis(100)));
  private final long seed = Long.getLong("leasehold.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  private RestStack upkeep;
  private RestStack api;
  private WorkerProcess worker;

  @BeforeEach
  void start() throws IOException {
    upkeep = setup.only(Role.MAINTENANCE).on(database);
    api = setup.apiOnly().on(database);
    worker = WorkerProcess.on(database);
  }

  @AfterEach
  void stop() {
    worker.close();
    api.close();
    upkeep.close();
  }

  @Test
  void missNothingAndRepeatNothing() throws IOException {
    var rounds = Proof.times(SOME, PROOF);
    for (var round = 0; round < rounds; round++) {
      var request = WorkerMain.TYPE.request(worker.name());
      var id = api.jobs().submit(RestStack.caller(ACME), request).jobId();

      var merged = follow(id, Restart.values()[round % Restart.values().length]);

      assertThat(merged).as("seed %d, round %d", seed, round).isEqualTo(history(id));
      assertTellsOfTheDeath(merged.stream().map(JSON::readTree).toList());
    }
  }

  /** When the server that the client follows is started again. */
  private enum Restart {
    NOT,
    BEFORE_THE_CLIENT_IS_BACK,
    WHILE_THE_NEXT_ATTEMPT_RUNS
  }

  /** All that a client is sent who always goes on behind the last that it has. */
  private List<String> follow(JobId id, Restart restart) throws IOException {
    var merged = new ArrayList<String>();
    var first = stream(id, merged);
    var enough = 1 + random.nextInt(80);
    await().atMost(SOON).until(() -> kinds(first, "log") >= enough);
    var next = WorkerProcess.on(database);
    killAtOnce(first);
    merged.addAll(first.events());
    worker.close();
    worker = next;
    if (restart == Restart.BEFORE_THE_CLIENT_IS_BACK) {
      restartServer();
    }
    var second = stream(id, merged);
    if (restart == Restart.WHILE_THE_NEXT_ATTEMPT_RUNS) {
      await().atMost(SOON).until(() -> kinds(second, "reclaimed") > 0);
      restartServer();
    }
    await().atMost(SOON).until(() -> !second.end().isEmpty());
    merged.addAll(second.events());
    if (restart == Restart.WHILE_THE_NEXT_ATTEMPT_RUNS) {
      var third = stream(id, merged);
      await().atMost(SOON).until(() -> third.end().equals("whole"));
      merged.addAll(third.events());
    }
    return merged;
  }

  private LiveStream stream(JobId id, List<String> merged) {
    var client = api.client(ACME);
    var path = "/api/v1/jobs/%s/events/stream".formatted(id);
    return merged.isEmpty()
        ? client.stream(path)
        : client.header("Last-Event-ID", LiveStream.cursorOf(merged.getLast())).stream(path);
  }

  private void killAtOnce(LiveStream stream) {
    var now = new CountDownLatch(1);
    var both =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> at(now, worker::kill)),
            CompletableFuture.runAsync(() -> at(now, stream::close)));
    now.countDown();
    both.join();
  }

  private static void at(CountDownLatch time, Runnable work) {
    try {
      time.await();
      work.run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void restartServer() {
    api.close();
    api = setup.apiOnly().on(database);
  }

  private List<String> history(JobId id) {
    return api.client(ACME)
        .header("Accept", "application/x-ndjson")
        .get("/api/v1/jobs/%s/events".formatted(id))
        .body()
        .lines()
        .toList();
  }

  private static long kinds(LiveStream stream, String kind) {
    return stream.lines().stream().filter(line -> line.equals("event: " + kind)).count();
  }

  private static void assertTellsOfTheDeath(List<JsonNode> events) {
    assertThat(events)
        .extracting(event -> event.path("kind").asString())
        .containsSubsequence(
            "queued", "started", "log", "worker_lost", "reclaimed", "log", "succeeded");
    var told = new TreeMap<Integer, List<Integer>>();
    for (var event : events) {
      if (event.path("kind").asString().equals("log")) {
        told.computeIfAbsent(event.path("attempt").asInt(), _ -> new ArrayList<>())
            .add(event.path("body").path("n").asInt());
      }
    }
    assertThat(told).as("%s", events).hasSizeGreaterThan(1);
    assertThat(told.values())
        .allSatisfy(
            numbers ->
                assertThat(numbers)
                    .isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList()));
  }
}
