package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static io.leasehold.engine.Works.ask;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig.Mode;
import io.leasehold.jobs.JobType;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operators read which workers there are, how busy they are, and which are silent. */
class WorkerRegistryTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofMinutes(2); // A process is started.
  private static final Duration THRESHOLD = Duration.ofSeconds(3);
  private static final EngineConfig SURVIVOR =
      EngineConfig.defaults().workerName("survivor").staleAfter(THRESHOLD).concurrency(7);
  private static final EngineConfig READER = EngineConfig.defaults().roles(Set.of());

  private static final JobType<String, String> HELD = Handlers.type("held");
  private static final JobType<String, String> KEPT = Handlers.type("kept");

  private final Semaphore gate = new Semaphore(0);

  @BeforeEach
  void removeWorkersAndJobsOfEarlierTests() {
    ask(database, "TRUNCATE leasehold.worker, leasehold.ready, leasehold.lease CASCADE");
  }

  @AfterEach
  void letGo() {
    gate.release(100);
  }

  @Test
  void aKilledWorkerIsStaleAfterTheThresholdAndRemovedAfterADay() throws Exception {
    try (var survivor = start(SURVIVOR);
        var doomed =
            ClientProcess.start(ExitingMain.class, database.jdbcUrl(), Boolean.toString(false))) {
      await().atMost(SOON).until(() -> names(survivor).equals(List.of("doomed", "survivor")));
      doomed.kill();

      await().atMost(SOON).until(() -> worker(survivor, "doomed").stale());

      assertThat(worker(survivor, "doomed").silentFor()).isGreaterThanOrEqualTo(THRESHOLD);
      assertThat(worker(survivor, "survivor").stale()).isFalse();
      await()
          .atMost(SOON)
          .until(
              () -> ask(database, "SELECT name FROM leasehold.worker WHERE stale"),
              "doomed"::equals);

      silence("doomed", "25 h");
      await().atMost(SOON).until(() -> names(survivor).equals(List.of("survivor")));
    }
  }

  @Test
  void aStoppedWorkerIsRemovedAtOnce() {
    try (var reader = start(READER)) {
      try (var worker = start(SURVIVOR)) {
        assertThat(names(worker)).containsExactly("survivor");
      }

      assertThat(names(reader)).isEmpty();
    }
  }

  @Test
  void aHeartbeatWritesTheVersionAndTheLoad() {
    try (var engine = start(SURVIVOR)) {
      submit(engine, HELD, 2);
      submit(engine, KEPT, 1);

      await().atMost(SOON).until(() -> worker(engine, "survivor").running() == 3);
      var busy = worker(engine, "survivor");
      gate.release(100);

      assertThat(busy.version()).isEqualTo("unreleased");
      assertThat(busy.slots()).isEqualTo(14);
      assertThat(busy.queues()).containsExactly(entry("held", 7), entry("kept", 7));
      assertThat(busy.stale()).isFalse();
      assertThat(busy.seenAt()).isAfter(busy.startedAt()).isBefore(Instant.now().plusSeconds(60));
      await().atMost(SOON).until(() -> worker(engine, "survivor").running() == 0);
    }
  }

  @Test
  void queuesShareTheSlotsOfDirectMode() {
    try (var engine = start(SURVIVOR.mode(Mode.DIRECT).directConcurrency(4))) {
      submit(engine, HELD, 1);
      submit(engine, KEPT, 2);

      await().atMost(SOON).until(() -> worker(engine, "survivor").running() == 3);

      assertThat(worker(engine, "survivor").slots()).isEqualTo(4);
    }
  }

  /** No process maintains the registry here: who reads it judges. */
  @Test
  void theThresholdIsChosenByTheReaderAndDefaultsToTheLease() {
    try (var strict = start(READER.staleAfter(Duration.ofSeconds(20)));
        var mild = start(READER.staleAfter(Duration.ofMinutes(2)));
        var byLease = start(READER.lease(Duration.ofSeconds(45)))) {
      ask(
          database,
          "INSERT INTO leasehold.worker (id, name, version, queues, capacity, started_at, seen_at)"
              + " VALUES (gen_random_uuid(), 'silent', '1', '{}', 0, now(), now())");

      silence("silent", "30 s");
      assertThat(worker(strict, "silent").stale()).isTrue();
      assertThat(worker(mild, "silent").stale()).isFalse();
      assertThat(worker(byLease, "silent").stale()).isFalse();

      silence("silent", "30 s");
      assertThat(worker(mild, "silent").stale()).isFalse();
      assertThat(worker(byLease, "silent").stale()).isTrue();
    }
  }

  private RunningEngine start(EngineConfig config) {
    var handlers =
        new Handlers()
            .with(HELD, (job, input) -> held(input))
            .with(KEPT, (job, input) -> held(input));
    return RunningEngine.on(database, config, handlers);
  }

  private String held(String input) throws InterruptedException {
    gate.acquire();
    return input;
  }

  private static void submit(RunningEngine engine, JobType<String, String> type, int jobs) {
    for (var i = 0; i < jobs; i++) {
      engine.jobs().submit(CALLER, type.request("x"));
    }
  }

  private static List<String> names(RunningEngine engine) {
    return engine.workers().workers().stream().map(RegisteredWorker::name).toList();
  }

  private static RegisteredWorker worker(RunningEngine engine, String name) {
    return engine.workers().workers().stream()
        .filter(worker -> worker.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void silence(String name, String time) {
    ask(
        database,
        "UPDATE leasehold.worker SET seen_at = seen_at - interval '%s' WHERE name = '%s'"
            .formatted(time, name));
  }
}
