package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a process without work holds of the server's connections. */
class IdleConnectionsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  /** How often the pool looks for connections to close: else it is 30 s. */
  private static final String PERIOD = "com.zaxxer.hikari.housekeeping.periodMs";

  private static final int TENANTS = 20;
  private static final int IDLE_MOST = 8;
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> HOLDING = Handlers.type("holding");

  private final CountDownLatch holding = new CountDownLatch(TENANTS);
  private final CountDownLatch go = new CountDownLatch(1);
  private final Handlers handlers =
      new Handlers()
          .inTransaction(
              HOLDING,
              (tx, job, input) -> {
                tx.dsl().selectOne().fetch();
                holding.countDown();
                go.await();
                return input;
              });

  @BeforeAll
  static void lookOften() {
    System.setProperty(PERIOD, "500");
  }

  @AfterAll
  static void lookAsUsual() {
    System.clearProperty(PERIOD);
  }

  private static long connections() throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND application_name LIKE 'leasehold-%'")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void anIdleWorkerClosesItsConnectionsAndOpensThemAgain() throws Exception {
    var db =
        RunningEngine.at(database.jdbcUrl())
            .tenantConnections(TENANTS)
            .idleTimeout(Duration.ofSeconds(10))
            .build();
    try (var engine = RunningEngine.on(db, EngineConfig.defaults(), handlers)) {
      var jobs =
          Stream.generate(() -> engine.jobs().submit(CALLER, HOLDING.request("")).jobId())
              .limit(TENANTS)
              .toList();
      holding.await();
      assertThat(connections()).isGreaterThanOrEqualTo(TENANTS + 2);
      go.countDown();

      await()
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(() -> assertThat(connections()).isLessThanOrEqualTo(IDLE_MOST));
      assertThat(jobs)
          .allMatch(
              id -> engine.jobs().find(CALLER, id).orElseThrow().status() == JobStatus.SUCCEEDED);

      assertThat(engine.jobs().submit(CALLER, HOLDING.request("")).jobId()).isNotNull();
    }
  }
}
