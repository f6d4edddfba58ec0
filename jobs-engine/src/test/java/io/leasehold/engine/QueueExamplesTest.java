package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.Explanation.Reason;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/operate/queues.md}. */
class QueueExamplesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> REPORT = Handlers.type("reports");

  private final TenantId tenant = new TenantId(UUID.randomUUID());
  private final SecurityContext caller = SecurityContext.of("ann", tenant).build();
  private final RunningEngine engine =
      RunningEngine.on(
          database, EngineConfig.defaults(), new Handlers().with(REPORT, (job, input) -> input));
  private final JobQueues queues = engine.queues();
  private final List<String> shown = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  private void show(String text) {
    shown.add(text);
  }

  @Test
  void pausesAndWeights() {
    queues.pause("reports", "bob: the mail server is down");
    queues.resume("reports");

    queues.pause("reports", tenant, "bob: 400,000 jobs by mistake");
    queues.resume("reports", tenant);

    queues.weigh("reports", tenant, 3);

    assertThat(queues.settings())
        .containsExactly(
            new JobQueues.Setting("reports", Optional.of(tenant), Optional.empty(), 3));
  }

  @Test
  void settings() {
    queues.pause("mail", "bob");

    for (var setting : queues.settings()) {
      setting
          .pause()
          .ifPresent(
              pause ->
                  show("%s since %s by %s".formatted(setting.queue(), pause.at(), pause.by())));
    }

    assertThat(shown).hasSize(1).allMatch(line -> line.matches("mail since 20.* by bob"));
  }

  @Test
  void workersAreListed() {
    var workers = engine.workers();

    for (var worker : workers.workers()) {
      show(
          "%s %s: %d of %d, silent for %d s%s"
              .formatted(
                  worker.name(),
                  worker.version(),
                  worker.running(),
                  worker.slots(),
                  worker.silentFor().toSeconds(),
                  worker.stale() ? ", stale" : ""));
    }

    assertThat(shown)
        .hasSize(1)
        .allMatch(line -> line.matches("pid \\d+ unreleased: 0 of 50, silent for \\d s"));
  }

  @Test
  void aPauseInSqlHasTheSameEffect() throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(
          """
          INSERT INTO leasehold.queue (name, paused_at, paused_by) VALUES ('reports', now(), 'bob')
          ON CONFLICT (name) DO UPDATE SET paused_at = now(), paused_by = 'bob';
          """);
    }

    var id = engine.jobs().submit(caller, REPORT.request("x")).jobId();

    assertThat(engine.jobs().explain(caller, id).orElseThrow().reason())
        .isEqualTo(Reason.QUEUE_PAUSED);
    queues.resume("reports");
    await().until(() -> engine.jobs().find(caller, id).orElseThrow().status().isFinal());
  }
}
