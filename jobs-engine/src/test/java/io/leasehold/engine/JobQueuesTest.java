package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pauses, with workers that would otherwise look once a minute: they have to be told. */
class JobQueuesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final EngineConfig PATIENT =
      EngineConfig.defaults().concurrency(2).pollEvery(Duration.ofMinutes(1));
  private static final Duration SOON = Duration.ofSeconds(2);

  private static final JobType<String, String> REPORT = Handlers.type("reports");
  private static final int BACKLOG = 12_000;

  private static final JobType<String, String> STEADY = Handlers.type("steady");
  private static final JobType<String, String> GATED = Handlers.type("gated");

  // The paused one has every other advantage: the lower id, the older jobs, the higher priority.
  private static final SecurityContext PAUSED = tenant(1);
  private static final SecurityContext OTHER = tenant(2);

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final AtomicLong lastBegan = new AtomicLong();
  private final Semaphore never = new Semaphore(0);
  private final Semaphore gate = new Semaphore(0);
  private final RunningEngine engine = start();

  private static SecurityContext tenant(int n) {
    return SecurityContext.of("ann", new TenantId(new UUID(1, n))).build();
  }

  private RunningEngine start() {
    return RunningEngine.on(
        database,
        PATIENT,
        new Handlers()
            .with(
                REPORT,
                (job, input) -> {
                  done.add(input);
                  return input;
                })
            .with(
                STEADY,
                (job, input) -> {
                  lastBegan.set(System.nanoTime());
                  done.add(input + never.tryAcquire(2, TimeUnit.MILLISECONDS));
                  return input;
                })
            .with(
                GATED,
                (job, input) -> {
                  gate.acquire();
                  done.add(input);
                  return input;
                }));
  }

  @AfterEach
  void close() throws SQLException {
    gate.release(10_000);
    engine.close();
    execute("TRUNCATE leasehold.ready, leasehold.lease, leasehold.queue, leasehold.tenant_queue");
  }

  private static void execute(String sql) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }

  private JobId submit(SecurityContext caller, JobType<String, String> type, String input) {
    return engine.jobs().submit(caller, type.request(input)).jobId();
  }

  private JobStatus status(SecurityContext caller, JobId id) {
    return engine.jobs().find(caller, id).orElseThrow().status();
  }

  @Test
  void nothingIsClaimedFromAPausedQueueUntilItIsResumed() {
    engine.queues().pause("reports", "bob");
    var id = submit(OTHER, REPORT, "x");
    await().during(Duration.ofMillis(500)).until(() -> status(OTHER, id) == JobStatus.QUEUED);

    engine.queues().resume("reports");

    await().atMost(SOON).until(() -> done.contains("x"));
  }

  @Test
  void anotherQueueIsNotPaused() {
    engine.queues().pause("gated", "bob");

    submit(OTHER, REPORT, "x");

    await().atMost(SOON).until(() -> done.contains("x"));
  }

  @Test
  void otherTenantsContinueWhileOneIsPaused() {
    engine.queues().pause("reports", PAUSED.tenant(), "bob");
    var waits = engine.jobs().submit(PAUSED, REPORT.request("waits").priority(9)).jobId();
    for (int i = 0; i < 20; i++) {
      submit(OTHER, REPORT, "goes on " + i);
    }

    await().atMost(SOON).until(() -> done.size() == 20);
    assertThat(status(PAUSED, waits)).isEqualTo(JobStatus.QUEUED);

    engine.queues().resume("reports", PAUSED.tenant());
    await().atMost(SOON).until(() -> done.contains("waits"));
  }

  @Test
  void aTenantIsPausedInOneQueueOnly() {
    engine.queues().pause("gated", PAUSED.tenant(), "bob");

    submit(PAUSED, REPORT, "x");

    await().atMost(SOON).until(() -> done.contains("x"));
  }

  @Test
  void aPauseDoesNotStopARunningJob() {
    var runs = submit(OTHER, GATED, "runs");
    await().until(() -> status(OTHER, runs) == JobStatus.RUNNING);

    engine.queues().pause("gated", "bob");
    gate.release();

    await().atMost(SOON).until(() -> status(OTHER, runs) == JobStatus.SUCCEEDED);
  }

  @Test
  void workersOfOtherProcessesFollowAPause() {
    try (var elsewhere = start()) {
      elsewhere.stop(Duration.ofSeconds(1)); // Asks, and does not work itself.
      elsewhere.queues().pause("reports", "bob");
      var id = submit(OTHER, REPORT, "x");
      await().during(Duration.ofMillis(300)).until(() -> status(OTHER, id) == JobStatus.QUEUED);

      elsewhere.queues().resume("reports");

      await().atMost(SOON).until(() -> done.contains("x"));
    }
  }

  @Test
  void aBusyWorkerStopsWithinASecond() {
    workOff(BACKLOG);

    engine.queues().pause("steady", PAUSED.tenant(), "bob");

    assertThat(endOfWork()).isLessThan(Duration.ofSeconds(1));
    assertThat(done).hasSizeLessThan(BACKLOG);
  }

  /** What waits in the worker for a slot was leased before, and is given back a little later. */
  @Test
  void aBusyWorkerStopsSoonWithoutANotification() throws SQLException {
    workOff(BACKLOG);

    execute(
        "INSERT INTO leasehold.tenant_queue (tenant_id, queue, paused_at, paused_by)"
            + " VALUES ('%s', 'steady', now(), 'bob')".formatted(PAUSED.tenant()));

    assertThat(endOfWork()).isLessThan(Duration.ofSeconds(4));
    assertThat(done).hasSizeLessThan(BACKLOG);
  }

  private void workOff(int jobs) {
    var requests =
        IntStream.range(0, jobs).mapToObj(i -> STEADY.request("" + i)).toList().iterator();
    engine.jobs().submitAll(PAUSED, requests);
    await().atMost(Duration.ofSeconds(30)).until(() -> done.size() >= 50);
  }

  /** How long from now on jobs have begun. */
  private Duration endOfWork() {
    var from = System.nanoTime();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> System.nanoTime() - lastBegan.get() > Duration.ofSeconds(1).toNanos());
    return Duration.ofNanos(lastBegan.get() - from);
  }

  @Test
  void settingsListOnlyChangedQueues() {
    engine.queues().pause("reports", "bob");
    engine.queues().pause("reports", OTHER.tenant(), "bob");
    engine.queues().pause("reports", OTHER.tenant(), "eve");
    engine.queues().weigh("gated", OTHER.tenant(), 3);
    engine.queues().weigh("gated", PAUSED.tenant(), 1);
    engine.queues().pause("mail", "bob");
    engine.queues().resume("mail");

    var settings = engine.queues().settings();

    assertThat(settings)
        .extracting(setting -> setting.queue() + setting.tenant().isPresent() + setting.weight())
        .containsExactly("gatedtrue3", "reportsfalse1", "reportstrue1");
    assertThat(settings)
        .extracting(setting -> setting.pause().map(JobQueues.Pause::by))
        .containsExactly(Optional.empty(), Optional.of("bob"), Optional.of("bob"));
  }

  @Test
  void aResumedTenantKeepsItsWeight() {
    engine.queues().weigh("reports", OTHER.tenant(), 7);
    engine.queues().pause("reports", OTHER.tenant(), "bob");

    engine.queues().resume("reports", OTHER.tenant());

    assertThat(engine.queues().settings())
        .containsExactly(
            new JobQueues.Setting("reports", Optional.of(OTHER.tenant()), Optional.empty(), 7));
  }

  @Test
  void anInvalidQueueNameIsRefused() {
    for (var name : List.of("", "Reports", "a b", "x".repeat(65))) {
      assertThatThrownBy(() -> engine.queues().pause(name, "bob"))
          .isInstanceOfSatisfying(
              JobsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_REFUSED));
      assertThatThrownBy(() -> engine.queues().pause(name, OTHER.tenant(), "bob"))
          .isInstanceOf(JobsException.class);
    }
    assertThatThrownBy(() -> engine.queues().pause("reports", ""))
        .isInstanceOf(JobsException.class);
    assertThatThrownBy(() -> engine.queues().weigh("reports", OTHER.tenant(), 65_537))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(engine.queues().settings()).isEmpty();
  }

  @Test
  void theCatalogueListsTheHandlers() {
    await()
        .until(
            () ->
                engine.catalogue().handlers(OTHER).stream()
                        .filter(handler -> handler.isLive())
                        .count()
                    == 3);
    assertThat(engine.catalogue().handlers(OTHER))
        .extracting(handler -> handler.id() + handler.queue() + handler.isLive())
        .containsExactly(
            GATED.handler() + "gatedtrue",
            REPORT.handler() + "reportstrue",
            STEADY.handler() + "steadytrue");

    engine.stop(Duration.ofSeconds(1));

    assertThat(engine.catalogue().handlers(OTHER))
        .hasSize(3)
        .noneMatch(handler -> handler.isLive());
  }
}
