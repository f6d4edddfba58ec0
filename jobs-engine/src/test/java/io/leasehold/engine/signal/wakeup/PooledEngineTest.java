package io.leasehold.engine.signal.wakeup;

import static io.leasehold.engine.signal.wakeup.Work.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.db.DbConfig;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.testkit.Pooler;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine behind PgBouncer in transaction mode. Skipped where it is not installed. */
class PooledEngineTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(5);

  @TempDir private static Path folder;

  private static @Nullable Pooler pooler;

  private final Work work = new Work();

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(Pooler.program().isPresent(), "PgBouncer is not installed");
    var users =
        Map.of(
            "leasehold_tenant", TestDatabase.PASSWORD, "leasehold_engine", TestDatabase.PASSWORD);
    pooler = Pooler.before(database.jdbcUrl(), users, folder);
  }

  @AfterAll
  static void stop() {
    if (pooler != null) {
      pooler.close();
    }
  }

  @BeforeEach
  void noJobs() throws SQLException {
    Sessions.forgetJobs(database);
  }

  private static DbConfig.Builder pooled() {
    var name = URI.create(database.jdbcUrl().substring("jdbc:".length())).getPath().substring(1);
    return RunningEngine.at(Objects.requireNonNull(pooler).jdbcUrl(name));
  }

  private RunningEngine withoutNotifications() {
    return RunningEngine.on(
        pooled().notifications(false).build(), Work.polling(Duration.ofMillis(200)), work);
  }

  private static void proveBy(String way) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute("SET ROLE leasehold_owner");
      statement.execute("SELECT leasehold.prove_tenants_by('%s')".formatted(way));
    }
  }

  private static void assertBecomes(JobStatus status, RunningEngine engine, JobRequest<?, ?> job) {
    assertBecomes(status, engine, engine.jobs().submit(CALLER, job).jobId());
  }

  private static void assertBecomes(JobStatus status, RunningEngine engine, JobId id) {
    await().until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());
    assertThat(engine.jobs().find(CALLER, id).orElseThrow().status()).isEqualTo(status);
  }

  @Test
  void runsJobs() {
    try (var engine = withoutNotifications()) {
      for (int i = 0; i < 50; i++) {
        assertBecomes(JobStatus.SUCCEEDED, engine, Work.shortJob());
      }
    }
  }

  @Test
  void retriesJobs() {
    try (var engine = withoutNotifications()) {
      var id = engine.jobs().submit(CALLER, Work.failingOnce()).jobId();

      assertBecomes(JobStatus.SUCCEEDED, engine, id);
      assertThat(engine.jobs().find(CALLER, id).orElseThrow().attempts()).isEqualTo(2);
    }
  }

  @Test
  void cancelsJobs() throws Exception {
    try (var engine = withoutNotifications()) {
      var id = engine.jobs().submit(CALLER, Work.longJob()).jobId();
      work.next(System.nanoTime(), SOON);

      engine.jobs().cancel(CALLER, id);

      assertBecomes(JobStatus.CANCELLED, engine, id);
    }
  }

  /** In both forms of the proof: the pooler chooses the server's process for each transaction. */
  @ParameterizedTest
  @ValueSource(strings = {"seal", "parameter"})
  void runsTransactionalHandlers(String proof) throws SQLException {
    proveBy(proof);
    try (var engine = withoutNotifications()) {
      assertBecomes(JobStatus.SUCCEEDED, engine, Work.inTransaction());
    }
  }

  @Test
  void receivesNotificationsPastThePooler() throws Exception {
    var db = pooled().listenUrl(database.jdbcUrl()).build();
    try (var _ = RunningEngine.on(db, Work.patient(), work);
        var submitter = RunningEngine.on(db, Work.patient())) {
      Sessions.awaitListening(database, 2);

      submitter.jobs().submit(CALLER, Work.shortJob());

      assertThat(work.next(System.nanoTime(), SOON)).isLessThan(SOON);
    }
  }
}
