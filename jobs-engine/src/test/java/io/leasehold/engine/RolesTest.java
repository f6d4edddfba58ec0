package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.engine.EngineHealth.Phase;
import io.leasehold.engine.EngineHealth.Status;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.ExponentialBackoff;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.history.Explanation.Reason;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What processes do that have some of the roles, alone and together. All know the handlers. */
class RolesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Set<Role> NEITHER = Set.of();
  private static final Set<Role> WORKER = Set.of(Role.WORKER);
  private static final Set<Role> MAINTENANCE = Set.of(Role.MAINTENANCE);
  private static final Set<Role> BOTH = Set.of(Role.WORKER, Role.MAINTENANCE);

  private static final String NO_SERVER = "jdbc:postgresql://localhost:1/none";
  private static final Duration A_MOMENT = Duration.ofMillis(1_500);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration RETRIED_AFTER = Duration.ofMillis(200);

  private static final JobType<String, String> HELD =
      Handlers.type("held").retry(new ExponentialBackoff(3, RETRIED_AFTER, RETRIED_AFTER, 0));
  private static final JobType<String, String> IN_MEMORY =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.engine.memory.v1", String.class, String.class);

  private final Semaphore begun = new Semaphore(0);
  private final Semaphore gate = new Semaphore(0);
  private volatile boolean failing;

  /** Hints alone make what is looked for once a minute come soon. */
  private RunningEngine start(Set<Role> roles) {
    var config =
        EngineConfig.defaults()
            .roles(roles)
            .pollEvery(Duration.ofMinutes(1))
            .rescueEvery(Duration.ofMillis(100));
    return start(config);
  }

  private RunningEngine start(EngineConfig config) {
    var engine = RunningEngine.on(database, config, handlers());
    await().until(() -> engine.health().listener().silent().isPresent());
    return engine;
  }

  private Handlers handlers() {
    return new Handlers().with(HELD, this::hold).with(IN_MEMORY, (job, input) -> input);
  }

  private String hold(JobContext job, String input) throws InterruptedException {
    begun.release();
    if (failing && job.attempt() == 1) {
      throw new IllegalStateException("not yet");
    }
    gate.acquire();
    return input;
  }

  private static JobId submit(RunningEngine engine) {
    return engine.jobs().submit(CALLER, HELD.request("x")).jobId();
  }

  private static JobId submitDelayed(RunningEngine engine) {
    return engine.jobs().submit(CALLER, HELD.request("x").delay(Duration.ofMillis(300))).jobId();
  }

  private static JobStatus status(RunningEngine engine, JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow().status();
  }

  private static Reason reason(RunningEngine engine, JobId id) {
    return engine.jobs().explain(CALLER, id).orElseThrow().reason();
  }

  private static int count(String table) {
    return Integer.parseInt(Works.ask(database, "SELECT count(*) FROM leasehold." + table));
  }

  private static void expireLeases() {
    Works.ask(database, "UPDATE leasehold.lease SET locked_until = now() - interval '1 hour'");
  }

  private void awaitBegun() {
    await().atMost(SOON).until(begun::tryAcquire);
  }

  private static void staysSo(Runnable assertion) {
    await().during(A_MOMENT).atMost(SOON).untilAsserted(assertion::run);
  }

  @BeforeEach
  void removeJobsAndWorkers() {
    Works.ask(
        database,
        "TRUNCATE leasehold.ready, leasehold.scheduled, leasehold.lease, leasehold.worker,"
            + " leasehold.handler CASCADE");
  }

  @AfterEach
  void letGo() {
    gate.release(100);
  }

  @Test
  void aProcessWithBothRolesDoesEverything() {
    try (var engine = start(BOTH)) {
      submitDelayed(engine);

      awaitBegun();
      expireLeases();
      awaitBegun();
      assertThat(count("worker")).isEqualTo(1);
      gate.release(2);
    }
  }

  @Test
  void aWorkerRunsJobsAndDoesNoMaintenance() {
    try (var worker = start(WORKER)) {
      var id = submit(worker);
      awaitBegun();
      submitDelayed(worker);
      expireLeases();

      staysSo(
          () -> {
            assertThat(count("scheduled")).isEqualTo(1);
            assertThat(count("lease")).isEqualTo(1);
            assertThat(begun.availablePermits()).isZero();
          });
      assertThat(count("worker")).isEqualTo(1);
      assertThat(worker.health().worker().phase()).isEqualTo(Phase.WORKING);
      gate.release();
      await().atMost(SOON).until(() -> status(worker, id) == JobStatus.SUCCEEDED);
    }
  }

  @Test
  void aWorkerRenewsItsLeasesAndReceivesCancels() {
    try (var worker = start(EngineConfig.defaults().roles(WORKER).lease(Duration.ofSeconds(3)));
        var api = start(NEITHER)) {
      var id = submit(api);
      awaitBegun();
      expireLeases();
      await()
          .atMost(SOON)
          .until(
              () ->
                  Works.ask(database, "SELECT locked_until > now() FROM leasehold.lease")
                      .equals("t"));

      assertThat(api.jobs().cancel(CALLER, id)).isInstanceOf(Cancellation.Requested.class);

      await().atMost(Duration.ofSeconds(20)).until(() -> status(worker, id) == JobStatus.CANCELLED);
    }
  }

  @Test
  void maintenanceMovesAndRescuesAndMakesDaysAndRunsNoJob() {
    var config = EngineConfig.defaults().rescueEvery(Duration.ofMillis(100)).daysAhead(33);
    try (var maintenance = start(config.roles(MAINTENANCE))) {
      var id = submitDelayed(maintenance);

      await().atMost(SOON).until(() -> count("ready") == 1);
      await()
          .atMost(LONG)
          .until(() -> count("partition_day") > 33); // Each is two tables to be made.
      staysSo(() -> assertThat(begun.availablePermits()).isZero());
      assertThat(status(maintenance, id)).isEqualTo(JobStatus.QUEUED);
      assertThat(reason(maintenance, id)).isEqualTo(Reason.UNKNOWN_HANDLER);
      assertThat(count("worker")).isZero();
    }
  }

  @Test
  void aProcessWithoutRolesSubmitsAndCancelsJobs() {
    try (var api = start(NEITHER)) {
      var id = submit(api);

      assertThat(reason(api, id)).isEqualTo(Reason.UNKNOWN_HANDLER);
      assertThat(api.jobs().cancel(CALLER, id)).isInstanceOf(Cancellation.Cancelled.class);
      assertThat(api.jobs().retry(CALLER, id)).isInstanceOf(RetryOutcome.Queued.class);
      var later = submitDelayed(api);
      staysSo(
          () -> {
            assertThat(begun.availablePermits()).isZero();
            assertThat(status(api, later)).isEqualTo(JobStatus.QUEUED);
            assertThat(count("scheduled")).isEqualTo(1);
          });
      assertThat(count("worker")).isZero();
    }
  }

  @Test
  void processesWithoutWorkersCountAsNoWorker() {
    try (var worker = start(WORKER)) {
      worker.stop(Duration.ZERO);
    }
    try (var api = start(NEITHER);
        var _ = start(MAINTENANCE)) {
      var id = submit(api);

      assertThat(reason(api, id)).isEqualTo(Reason.NO_WORKER);
      assertThat(api.catalogue().handlers(CALLER)).allMatch(handler -> !handler.isLive());
    }
  }

  @Test
  void threeProcessesWorkTogether() {
    try (var api = start(NEITHER);
        var worker = start(WORKER);
        var _ = start(MAINTENANCE)) {
      submit(api);
      awaitBegun(); // The worker was told by who submits,

      submitDelayed(api);
      awaitBegun(); // by who moves,

      expireLeases();
      awaitBegun(); // and by who rescues.
      awaitBegun();

      gate.release(100);
      await().atMost(SOON).until(() -> count("lease") + count("ready") == 0);
      assertThat(worker.health().status()).isEqualTo(Status.UP);
    }
  }

  @Test
  void aFailedJobsRetryIsMovedByAnotherProcess() {
    failing = true;
    try (var _ = start(WORKER);
        var maintenance = start(MAINTENANCE)) {
      submit(maintenance);

      awaitBegun();
      awaitBegun();
      gate.release();
    }
  }

  @Test
  void inMemoryJobsAreAcceptedByWorkersOnly() {
    try (var worker = start(WORKER);
        var api = start(NEITHER)) {
      worker.jobs().submit(CALLER, IN_MEMORY.request("x"));

      assertThatThrownBy(() -> api.jobs().submit(CALLER, IN_MEMORY.request("x")))
          .isInstanceOfSatisfying(
              JobsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_STOPPED))
          .hasMessageContaining("runs no jobs");
    }
  }

  static Set<Set<Role>> all() {
    return Set.of(NEITHER, WORKER, MAINTENANCE, BOTH);
  }

  @ParameterizedTest
  @MethodSource("all")
  void healthCoversTheRolesOfTheProcess(Set<Role> roles) throws IOException {
    try (var proxy = TcpProxy.before(database.jdbcUrl());
        var engine =
            RunningEngine.on(
                RunningEngine.at(proxy.jdbcUrl())
                    .listenUrl(database.jdbcUrl())
                    .connectTimeout(Duration.ofSeconds(1))
                    .build(),
                EngineConfig.defaults().roles(roles).lease(Duration.ofSeconds(3)),
                handlers())) {
      await().atMost(SOON).until(() -> engine.health().status() == Status.UP);
      assertThat(engine.health().worker().phase())
          .isEqualTo(roles.contains(Role.WORKER) ? Phase.WORKING : Phase.ABSENT);

      proxy.leadTo(NO_SERVER);
      proxy.cutAll();

      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> engine.health().database().status() == Status.DOWN);

      proxy.leadTo(database.jdbcUrl());

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> engine.health().database().status() == Status.UP);
      engine.stop(Duration.ZERO);
      assertThat(engine.health().worker().phase()).isEqualTo(Phase.STOPPED);
      assertThat(engine.health().status()).isEqualTo(Status.DOWN);
    }
  }
}
