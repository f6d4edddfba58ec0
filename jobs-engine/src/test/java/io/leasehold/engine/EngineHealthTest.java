package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.Guice;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineHealth.Phase;
import io.leasehold.engine.EngineHealth.Status;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Example of docs/operate/health.md, and what health tells when things break. */
class EngineHealthTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  /** Twenty seconds pass between renewals, and a worker is in doubt until one succeeds. */
  private static final Duration A_RENEWAL = Duration.ofSeconds(60);

  private static final String NO_SERVER = "jdbc:postgresql://localhost:1/none";
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> STUBBORN =
      Handlers.type("stubborn").timeout(Duration.ofMillis(100));

  private volatile boolean released;
  private final Metered meters = new Metered();
  private final Handlers handlers =
      new Handlers()
          .with(
              STUBBORN,
              (job, input) -> {
                while (!released) {
                  Thread.onSpinWait();
                }
                return input;
              });

  private static void awaitStatus(RunningEngine engine, Duration most, Status status) {
    await()
        .atMost(most)
        .untilAsserted(
            () -> assertThat(engine.health().status()).as("%s", engine.health()).isEqualTo(status));
  }

  // The example of the page.
  private static int httpStatus(EngineHealth health) {
    return switch (health.status()) {
      case UP, DEGRADED -> 200;
      case DOWN -> 503;
    };
  }

  @Test
  void isUpByDefault() {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);

      var health = engine.health();
      assertThat(health.database().answered()).isPresent();
      assertThat(health.listener().on()).isTrue();
      assertThat(health.worker().phase()).isEqualTo(Phase.WORKING);
      assertThat(httpStatus(health)).isEqualTo(200);
    }
  }

  @Test
  void isDownBeforeTheStartAndAfterTheStop() {
    var injector =
        Guice.createInjector(
            new SecureDbModule(RunningEngine.at(database.jdbcUrl()).build()),
            new EngineModule(EngineConfig.defaults()));
    var engine = injector.getInstance(JobEngine.class);
    assertThat(engine.health().worker().phase()).isEqualTo(Phase.NEW);
    assertThat(engine.health().status()).isEqualTo(Status.DOWN);

    try (var stopped = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      awaitStatus(stopped, Duration.ofSeconds(5), Status.UP);
      stopped.stop(Duration.ofSeconds(1));

      assertThat(stopped.health().worker().phase()).isEqualTo(Phase.STOPPED);
      assertThat(httpStatus(stopped.health())).isEqualTo(503);
    }
  }

  @Test
  void isDownOnceAThreadOfTheWorkerHasEnded() {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);

      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("claim stubborn"))
          .forEach(Thread::interrupt);

      awaitStatus(engine, Duration.ofSeconds(5), Status.DOWN);
      assertThat(engine.health().worker().phase()).isEqualTo(Phase.BROKEN);
    }
  }

  @Test
  void isDownWhileTheDatabaseIsUnreachableAndUpAgainAfterwards() throws IOException {
    try (var proxy = TcpProxy.before(database.jdbcUrl());
        var engine =
            RunningEngine.on(
                RunningEngine.at(proxy.jdbcUrl())
                    .listenUrl(database.jdbcUrl())
                    .connectTimeout(Duration.ofSeconds(1))
                    .build(),
                EngineConfig.defaults().lease(Duration.ofSeconds(3)),
                handlers,
                meters)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);

      proxy.leadTo(NO_SERVER);
      proxy.cutAll();

      awaitStatus(engine, Duration.ofSeconds(10), Status.DOWN);
      assertThat(engine.health().database().status()).isEqualTo(Status.DOWN);
      assertThat(engine.health().listener().status()).isEqualTo(Status.UP);
      await().until(() -> engine.health().worker().phase() == Phase.DOUBTFUL);
      assertThat(meters.count("leasehold.leases.renewals.failed")).isPositive();

      proxy.leadTo(database.jdbcUrl());

      awaitStatus(engine, A_RENEWAL, Status.UP);
    }
  }

  /** As on a full disk, or on a server that may only be read: it answers, and takes no writes. */
  @Test
  void isDegradedWhileTheDatabaseRefusesToWorkAndUpAgainAfterwards() throws SQLException {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);
      execute("REVOKE DELETE ON leasehold.ready FROM leasehold_engine");
      try {
        released = true;
        engine.jobs().submit(CALLER, STUBBORN.request("a"));

        awaitStatus(engine, Duration.ofSeconds(10), Status.DEGRADED);

        assertThat(engine.health().database().status()).isEqualTo(Status.DEGRADED);
        assertThat(engine.health().database().answered().orElseThrow())
            .isLessThan(Duration.ofSeconds(5));
      } finally {
        execute("GRANT DELETE ON leasehold.ready TO leasehold_engine");
      }
      awaitStatus(engine, Duration.ofSeconds(20), Status.UP);
    }
  }

  @Test
  void isDegradedAfterTheDatabasesClockWentBack() throws SQLException {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);
      try {
        execute("UPDATE leasehold.clock SET seen_at = clock_timestamp() + interval '1 h'");

        awaitStatus(engine, Duration.ofSeconds(10), Status.DEGRADED);

        assertThat(engine.health().database().status()).isEqualTo(Status.DEGRADED);
        assertThat(engine.health().database().clockWentBackBy().orElseThrow())
            .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
        assertThat(httpStatus(engine.health())).isEqualTo(200);
      } finally {
        execute("UPDATE leasehold.clock SET back_at = NULL, back_by = NULL");
      }
    }
  }

  private static void execute(String sql) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void isDownWhileTheDatabaseIsSilent() throws IOException {
    try (var proxy = TcpProxy.before(database.jdbcUrl());
        var engine =
            RunningEngine.on(
                RunningEngine.at(proxy.jdbcUrl()).listenUrl(database.jdbcUrl()).build(),
                EngineConfig.defaults(),
                handlers)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);

      proxy.fallSilent();

      awaitStatus(engine, Duration.ofSeconds(10), Status.DEGRADED);
      awaitStatus(engine, Duration.ofSeconds(20), Status.DOWN);
      proxy.speakAgain();
      proxy.cutAll();
      awaitStatus(engine, A_RENEWAL, Status.UP);
    }
  }

  @Test
  void isDegradedWhileTheListenerIsDisconnected() throws IOException {
    try (var proxy = TcpProxy.before(database.jdbcUrl());
        var engine =
            RunningEngine.on(
                RunningEngine.at(database.jdbcUrl()).listenUrl(proxy.jdbcUrl()).build(),
                EngineConfig.defaults(),
                handlers)) {
      await().until(() -> engine.health().listener().silent().isPresent());

      proxy.leadTo(NO_SERVER);
      proxy.cutAll();

      awaitStatus(engine, Duration.ofSeconds(20), Status.DEGRADED);
      assertThat(engine.health().listener().status()).isEqualTo(Status.DEGRADED);
      assertThat(engine.health().database().status()).isEqualTo(Status.UP);
      assertThat(httpStatus(engine.health())).isEqualTo(200);
    }
  }

  @Test
  void isUpWithNotificationsOff() {
    var db = RunningEngine.at(database.jdbcUrl()).notifications(false).build();
    try (var engine = RunningEngine.on(db, EngineConfig.defaults(), handlers)) {
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);

      assertThat(engine.health().listener().on()).isFalse();
    }
  }

  @Test
  void isDegradedWhileAHandlerIgnoresItsInterrupt() {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), handlers, meters)) {
      engine.jobs().submit(CALLER, STUBBORN.request(""));

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> meters.gauge("leasehold.slots.stuck") == 1);
      assertThat(engine.health().worker().stuck()).isEqualTo(1);
      assertThat(engine.health().status()).isEqualTo(Status.DEGRADED);
      released = true;
      awaitStatus(engine, Duration.ofSeconds(5), Status.UP);
      assertThat(meters.gauge("leasehold.slots.busy", "queue", "stubborn")).isZero();
    }
  }
}
