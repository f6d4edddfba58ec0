package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases that last as long as their jobs, and leases that are lost. */
class LeaseKeepingTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> LONG = Handlers.type("long");
  private static final JobType<String, String> LONG_TRANSACTION = Handlers.type("transaction");

  @Test
  void renewsTheLeaseOfAJobThatTakesLonger() {
    var config =
        EngineConfig.defaults().lease(Duration.ofSeconds(1)).rescueEvery(Duration.ofMillis(200));
    var handlers =
        new Handlers()
            .with(
                LONG,
                (job, input) -> {
                  new CountDownLatch(1).await(3, TimeUnit.SECONDS);
                  return "done";
                });
    try (var engine = RunningEngine.on(database, config, handlers)) {
      var id = engine.jobs().submit(CALLER, LONG.request("")).jobId();

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());

      var job = engine.jobs().find(CALLER, id).orElseThrow();
      assertThat(job.lastError()).isEmpty();
      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
    }
  }

  @Test
  void stopsHandlersWhoseLeaseIsLost() throws Exception {
    var interrupted = new AtomicInteger();
    var refused = new AtomicInteger();
    JobHandler<String, String> handler =
        (job, input) -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            try {
              job.progress(99, "stale");
            } catch (JobsException refusal) {
              refused.incrementAndGet();
            }
          }
          return "all the same";
        };
    var handlers =
        new Handlers()
            .with(LONG, handler)
            .inTransaction(LONG_TRANSACTION, (tx, job, input) -> handler.run(job, input));
    var config = EngineConfig.defaults().lease(Duration.ofSeconds(1));
    try (var engine = RunningEngine.on(database, config, handlers)) {
      for (int i = 0; i < 8; i++) {
        engine.jobs().submit(CALLER, LONG.request(""));
        engine.jobs().submit(CALLER, LONG_TRANSACTION.request(""));
      }
      await().until(() -> count("SELECT count(*) FROM leasehold.lease") == 16);

      execute("UPDATE leasehold.lease SET token = -token, locked_until = now() + '1 day'");

      await().untilAsserted(() -> assertThat(interrupted).hasValue(16));
      await().untilAsserted(() -> assertThat(refused).hasValue(16));
      assertThat(count("SELECT count(*) FROM leasehold.lease")).isEqualTo(16);
      execute("DELETE FROM leasehold.lease");
    }
  }

  private static long count(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
