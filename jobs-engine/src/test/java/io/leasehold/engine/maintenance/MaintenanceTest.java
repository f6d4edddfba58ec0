package io.leasehold.engine.maintenance;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Upkeep as an engine does it. */
class MaintenanceTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private final Injector injector =
      Guice.createInjector(
          new SecureDbModule(queue.config()), new EngineModule(EngineConfig.defaults()));

  @BeforeEach
  void open() {
    injector.getInstance(SecureDatabase.class).start();
  }

  @AfterEach
  void close() {
    stop();
    injector.getInstance(SecureDatabase.class).close();
  }

  @Test
  void runsEachTaskOnceAtTheStart() throws SQLException {
    queue.run("UPDATE leasehold.leader SET until = 'epoch'");
    queue.prepare(today().minusDays(20));
    var old = queue.ended(today().minusDays(20), "succeeded", 15);
    var lost = queue.leased(today(), UUID.randomUUID(), 1, "requeue", -1);
    var due = queue.scheduled(today(), -1);
    var cancelled = queue.ready(today());
    queue.request(cancelled, true, 0);

    start();

    await().until(() -> queue.traces(old).isEmpty());
    await().until(() -> queue.traces(lost).containsKey("ready"));
    await().until(() -> queue.traces(due).containsKey("ready"));
    await().until(() -> queue.traces(cancelled).isEmpty());
    await().until(() -> !queue.ask("SELECT id FROM leasehold.worker").isEmpty());
  }

  /** Everything that a dead process wrote before the database's clock went back by an hour. */
  @Test
  void continuesWithinTwoLeasesAfterTheClockWentBack() throws SQLException {
    queue.run(
        "INSERT INTO leasehold.leader SELECT duty, gen_random_uuid(), now() + interval '1 h 1 s'"
            + " FROM unnest(ARRAY['rescue', 'cancels', 'registry', 'prune']) AS duty");
    var lost = queue.leased(today(), UUID.randomUUID(), 1, "requeue", 3_602);
    queue.run("UPDATE leasehold.lease SET length_ms = 2000");
    var delayed = queue.scheduled(today(), 3_602_000);
    queue.run("UPDATE leasehold.scheduled SET written_at = now() + interval '1 h'");
    queue.run(
        "INSERT INTO leasehold.worker (id, name, version, queues, capacity, started_at, seen_at)"
            + " VALUES (gen_random_uuid(), 'dead', '1', '{}', 1, now(), now() + interval '1 h')");

    start();

    await().until(() -> leadsInTime("rescue") && leadsInTime("cancels") && leadsInTime("prune"));
    await()
        .untilAsserted(
            () ->
                assertThat(
                        queue.ask(
                            "SELECT seen_at <= now() FROM leasehold.worker WHERE name = 'dead'"))
                    .containsExactly(true));
    await().atMost(Duration.ofSeconds(40)).until(() -> queue.traces(lost).containsKey("ready"));
    assertThat(queue.traces(delayed)).containsKey("ready");
  }

  private static boolean leadsInTime(String duty) throws SQLException {
    return queue
        .ask("SELECT until < now() + interval '5 min' FROM leasehold.leader WHERE duty = ?", duty)
        .equals(List.of(true));
  }

  @Test
  void runsTheOtherTasksWhenOneFails() throws SQLException {
    queue.run("REVOKE SELECT ON leasehold.cancel_request FROM leasehold_engine");
    try {
      start();
      await().until(() -> leads("cancels"));
      var due = queue.scheduled(today(), -1);

      await().until(() -> queue.traces(due).containsKey("ready"));
    } finally {
      queue.run("GRANT SELECT ON leasehold.cancel_request TO leasehold_engine");
    }
  }

  @Test
  void analysesTheTablesOnceADay() throws SQLException {
    queue.ready(today());

    start();

    await().until(() -> leads("analyse"));
    await()
        .until(
            () ->
                queue
                    .ask("SELECT reltuples > 0 FROM pg_class WHERE oid = 'leasehold.job'::regclass")
                    .contains(true));
    stop();
    assertThat(leads("analyse")).isTrue();
  }

  @Test
  void stopReleasesLeadershipAndRegistration() throws SQLException {
    start();
    await().until(() -> leads("prune") && leads("rescue") && leads("cancels"));
    await().until(() -> !queue.ask("SELECT id FROM leasehold.worker").isEmpty());

    stop();

    assertThat(queue.ask("SELECT duty FROM leasehold.leader WHERE duty <> 'analyse'")).isEmpty();
    assertThat(queue.ask("SELECT id FROM leasehold.worker")).isEmpty();
  }

  /** One of them may come late. */
  @Test
  void aLeadLastsForTwoRounds() throws SQLException {
    start();

    await().until(() -> leads("prune"));

    assertThat(
            queue.ask(
                "SELECT until > now() + interval '65 s' FROM leasehold.leader WHERE duty ="
                    + " 'prune'"))
        .containsExactly(true);
  }

  @Test
  void stopsWhileATaskWaits() throws SQLException {
    start();
    await().until(() -> leads("registry"));
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT id FROM leasehold.worker FOR UPDATE");
      var begin = System.nanoTime();

      injector.getInstance(JobEngine.class).stop(Duration.ZERO);

      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    }
  }

  private void start() {
    injector.getInstance(JobEngine.class).start();
  }

  private void stop() {
    injector.getInstance(JobEngine.class).stop(Duration.ZERO);
  }

  private static boolean leads(String duty) throws SQLException {
    return !queue.ask("SELECT duty FROM leasehold.leader WHERE duty = ?", duty).isEmpty();
  }
}
