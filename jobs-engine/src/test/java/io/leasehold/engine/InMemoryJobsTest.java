package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.JobsException.Limit;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What jobs in memory have of their own: bounds, turns, and open transactions. What they have in
 * common with stored jobs is in {@link JobServiceContractTest}.
 */
class InMemoryJobsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER = caller(1);

  private static final JobType<Object, Object> ECHO = type("echo", Object.class);
  private static final JobType<String, String> WAITING = type("waiting", String.class).capacity(3);
  private static final JobType<String, String> ORDERED = type("ordered", String.class);
  private static final JobType<String, String> STUBBORN = type("stubborn", String.class);
  private static final JobType<String, String> LEADING = type("leading", String.class);
  private static final JobType<String, String> DOOMED = type("doomed", String.class);
  private static final JobType<String, String> STORED = Handlers.type("stored");

  private final Semaphore gate = new Semaphore(0);
  private final List<String> done = new CopyOnWriteArrayList<>();
  private RunningEngine engine;

  private static <T> JobType<T, T> type(String name, Class<T> of) {
    return JobType.inMemory(
        "gts.x.core.jobs.handler.v1~acme.tests.memory.%s.v1".formatted(name), of, of);
  }

  private static SecurityContext caller(int tenant) {
    return SecurityContext.of("ann", new TenantId(new UUID(1, tenant))).build();
  }

  @BeforeEach
  void start() {
    engine = started(EngineConfig.defaults());
  }

  private RunningEngine started(EngineConfig config) {
    var handlers =
        new Handlers()
            .with(ECHO, (job, input) -> input)
            .with(WAITING, this::wait)
            .with(ORDERED, this::wait)
            .with(
                STUBBORN,
                (job, input) -> {
                  new CountDownLatch(1).await();
                  return input;
                })
            .inTransaction(
                LEADING,
                (tx, job, input) ->
                    engine.jobs().submit(tx, STORED.request(input)).jobId().toString())
            .inTransaction(
                DOOMED,
                (tx, job, input) -> {
                  engine.jobs().submit(tx, STORED.request(input).key(input));
                  throw new IllegalStateException("after the work");
                })
            .with(STORED, (job, input) -> input);
    return RunningEngine.on(
        database, config.cancelGrace(Duration.ofMillis(100)).concurrency(2), handlers);
  }

  private String wait(JobContext job, String input) throws InterruptedException {
    gate.acquire();
    done.add(input);
    return input;
  }

  @AfterEach
  void stop() {
    gate.release(1_000);
    engine.stop(Duration.ofMillis(100));
    engine.close();
  }

  private JobId submit(JobType<String, String> type, String input) {
    return engine.jobs().submit(CALLER, type.request(input)).jobId();
  }

  private Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private Job awaitEnd(JobId id) {
    var job = engine.jobs().await(CALLER, id, Duration.ofSeconds(20)).orElseThrow();
    assertThat(job.status().isFinal()).isTrue();
    return job;
  }

  private static void assertFails(ErrorCode code, Callable<?> call) {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(call::call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void inputAndOutputMayBeAnyObject() throws SQLException {
    var input = Thread.currentThread(); // Nothing that JSON knows.
    var before = rows();

    var id = engine.jobs().submit(CALLER, ECHO.request(input)).jobId();

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(engine.jobs().result(CALLER, id, Thread.class))
        .isEqualTo(new JobResult.Succeeded<>(input));
    assertFails(ErrorCode.RESULT_UNREADABLE, () -> engine.jobs().result(CALLER, id, String.class));
    assertThat(rows()).isEqualTo(before);
  }

  private static int rows() throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM leasehold.job")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void isRefusedAtOnceBeyondTheBoundOfItsKind() {
    IntStream.range(0, 3).forEach(i -> submit(WAITING, "" + i));

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(WAITING, "one too many"))
        .withMessage(
            "this process has 3 jobs of %s in memory, and takes at most 3"
                .formatted(WAITING.handler()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_FULL))
        .satisfies(e -> assertThat(e.limit()).contains(new Limit(3, 3)))
        .satisfies(e -> assertThat(e.getStackTrace()).isEmpty());

    assertThat(awaitEnd(engine.jobs().submit(CALLER, ECHO.request("other")).jobId()).status())
        .isEqualTo(JobStatus.SUCCEEDED);
    gate.release();
    await().until(() -> done.size() == 1);
    await().untilAsserted(() -> submit(WAITING, "now there is room"));
  }

  @Test
  void isRefusedBeyondTheCapacityOfTheEngine() {
    engine.close();
    engine = started(EngineConfig.defaults().memoryCapacity(2));
    submit(WAITING, "1");
    submit(STUBBORN, "2");

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(ORDERED, "3"))
        .withMessage("this process has 2 jobs in memory, and takes at most 2")
        .satisfies(e -> assertThat(e.limit()).contains(new Limit(2, 2)));
  }

  @Test
  void takesItsPlaceAtOnceAndGivesItBackAfterARollback() {
    var ids = new ArrayList<JobId>();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                engine
                    .transactions()
                    .asTenant(
                        CALLER,
                        tx -> {
                          for (int i = 0; i < 3; i++) {
                            ids.add(engine.jobs().submit(tx, WAITING.request("never")).jobId());
                          }
                          assertFails(
                              ErrorCode.MEMORY_FULL,
                              () -> engine.jobs().submit(tx, WAITING.request("full")));
                          throw new IllegalStateException("on purpose");
                        }));

    IntStream.range(0, 3).forEach(i -> submit(WAITING, "" + i));
    gate.release(3);
    await().until(() -> done.size() == 3);
    assertThat(done).containsExactlyInAnyOrder("0", "1", "2");
    assertThat(ids).allMatch(id -> engine.jobs().find(CALLER, id).isEmpty());
  }

  @Test
  void freesItsPlaceWhenASavepointIsRolledBack() {
    var kept =
        engine
            .transactions()
            .asTenant(
                CALLER,
                tx -> {
                  assertThatExceptionOfType(IllegalStateException.class)
                      .isThrownBy(
                          () ->
                              tx.savepoint(
                                  part -> {
                                    for (int i = 0; i < 3; i++) {
                                      engine.jobs().submit(part, WAITING.request("undone"));
                                    }
                                    throw new IllegalStateException("on purpose");
                                  }));
                  for (int i = 0; i < 3; i++) {
                    engine.jobs().submit(tx, WAITING.request("kept"));
                  }
                  return true;
                });

    assertThat(kept).isTrue();
    gate.release(6);
    await().until(() -> done.size() == 3);
    assertThat(done).containsOnly("kept");
  }

  @Test
  void aRefusalLeavesTheTransactionAsItWas() {
    IntStream.range(0, 3).forEach(i -> submit(WAITING, "" + i));

    var id =
        engine
            .transactions()
            .asTenant(
                CALLER,
                tx -> {
                  assertFails(
                      ErrorCode.MEMORY_FULL,
                      () -> engine.jobs().submit(tx, WAITING.request("full")));
                  return engine.jobs().submit(tx, STORED.request("instead")).jobId();
                });

    await().until(() -> find(id).status() == JobStatus.SUCCEEDED);
  }

  @Test
  void aRollbackRevertsCancelsAndDeletes() {
    engine.close();
    engine = started(EngineConfig.defaults().memoryConcurrency(1));
    submit(WAITING, "running");
    await().until(() -> gate.hasQueuedThreads());
    var id = submit(WAITING, "withdrawn");
    var deleted = submit(WAITING, "deleted");

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                engine
                    .transactions()
                    .asTenant(
                        CALLER,
                        tx -> {
                          assertThat(engine.jobs().cancel(tx, id))
                              .isInstanceOf(Cancellation.Cancelled.class);
                          assertThat(engine.jobs().delete(tx, deleted))
                              .isInstanceOf(Deletion.Deleted.class);
                          gate.release(3);
                          await().until(() -> done.contains("running"));
                          throw new IllegalStateException("on purpose");
                        }));

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(awaitEnd(deleted).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void aKeyStandsForOneJobAlsoWhileItsTransactionIsOpen() throws Exception {
    var request = ECHO.request("x").key("october");
    var open = new CountDownLatch(1);
    var second = new CompletableFuture<Submission>();

    var first =
        engine
            .transactions()
            .asTenant(
                CALLER,
                tx -> {
                  var submission = engine.jobs().submit(tx, request);
                  assertThat(engine.jobs().submit(tx, request))
                      .isEqualTo(new Submission(submission.jobId(), true));
                  Thread.ofVirtual()
                      .start(
                          () -> {
                            open.countDown();
                            second.complete(engine.jobs().submit(CALLER, request));
                          });
                  open.await();
                  return submission;
                });

    assertThat(second.get()).isEqualTo(new Submission(first.jobId(), true));
    assertThat(engine.jobs().submit(caller(2), request).repeated()).isFalse();
    awaitEnd(first.jobId());
    engine.jobs().delete(CALLER, first.jobId());
    assertThat(engine.jobs().submit(CALLER, request).repeated()).isFalse();
  }

  @Test
  void tenantsTakeTurnsAndPriorityOrdersATenantsOwnJobs() {
    engine.close();
    engine = started(EngineConfig.defaults().memoryConcurrency(1));
    engine.jobs().submit(CALLER, ORDERED.request("runs"));
    await().until(() -> gate.hasQueuedThreads());

    engine.jobs().submit(CALLER, ORDERED.request("1 low").priority(-1));
    engine.jobs().submit(CALLER, ORDERED.request("1 first"));
    engine.jobs().submit(CALLER, ORDERED.request("1 second"));
    engine.jobs().submit(CALLER, ORDERED.request("1 high").priority(1));
    engine.jobs().submit(caller(2), ORDERED.request("2 first"));
    engine.jobs().submit(caller(3), ORDERED.request("3 first"));
    engine.jobs().submit(caller(2), ORDERED.request("2 second"));
    gate.release(8);

    await().until(() -> done.size() == 8);
    assertThat(done)
        .containsExactly(
            "runs", "1 high", "2 first", "3 first", "1 first", "2 second", "1 second", "1 low");
  }

  @Test
  void listsInMemoryAndStoredJobsTogether() {
    var ids = new ArrayList<JobId>();
    for (int i = 0; i < 6; i++) {
      ids.addFirst(
          i % 2 == 0
              ? engine.jobs().submit(caller(7), ECHO.request(i)).jobId()
              : engine.jobs().submit(caller(7), STORED.request("" + i)).jobId());
    }

    var listed = new ArrayList<JobId>();
    var filter = JobFilter.newest().limit(2);
    while (true) {
      var page = engine.jobs().list(caller(7), filter);
      page.jobs().forEach(job -> listed.add(job.id()));
      if (page.next().isEmpty()) {
        break;
      }
      filter = filter.after(page.next().get());
    }

    assertThat(listed).containsExactlyElementsOf(ids);
    assertThat(engine.jobs().list(caller(7), JobFilter.newest().handler(ECHO.handler())).jobs())
        .hasSize(3);
  }

  @Test
  void inMemoryAndStoredJobsAreSubmittedTogetherOrNotAtAll() throws SQLException {
    var both =
        engine
            .jobs()
            .submitAll(
                CALLER,
                List.of(ECHO.request("a"), STORED.request("b"), ECHO.request("c")).iterator());
    assertThat(both)
        .extracting(submission -> find(submission.jobId()).handler())
        .containsExactly(ECHO.handler(), STORED.handler(), ECHO.handler());

    var before = rows();
    var tooMany = new ArrayList<>(List.of(STORED.request("1")));
    IntStream.range(0, 4).forEach(i -> tooMany.add(WAITING.request("" + i)));
    assertFails(ErrorCode.MEMORY_FULL, () -> engine.jobs().submitAll(CALLER, tooMany.iterator()));
    assertThat(rows()).isEqualTo(before);
    IntStream.range(0, 3).forEach(i -> submit(WAITING, "" + i));
  }

  @Test
  void transactionalHandlerCommitsWithItsSuccess() {
    var id = submit(LEADING, "on");

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    var result = (JobResult.Succeeded<String>) engine.jobs().result(CALLER, id, String.class);
    assertThat(engine.jobs().find(CALLER, JobId.of(String.valueOf(result.output())))).isPresent();
    assertThat(awaitEnd(submit(DOOMED, "key")).status()).isEqualTo(JobStatus.FAILED);
    assertThat(engine.jobs().submit(CALLER, STORED.request("").key("key")).repeated()).isFalse();
  }

  @Test
  void endedJobsAreRemovedAfterAWhile() {
    engine.close();
    engine = started(EngineConfig.defaults().memoryKept(Duration.ofMillis(100)));
    gate.release();
    var id = submit(ORDERED, "x");

    await().until(() -> engine.jobs().find(CALLER, id).isEmpty());
  }

  @Test
  void waitsForTheStartAndIsRefusedAfterTheStop() {
    gate.release();
    var id = submit(WAITING, "in time");
    engine.stop(Duration.ofSeconds(10));

    assertThat(find(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertFails(ErrorCode.ENGINE_STOPPED, () -> submit(WAITING, "too late"));
  }

  @Test
  void isLostWithTheEngineWhenItDoesNotEndInTheGrace() {
    var running = submit(STUBBORN, "");
    var waiting = engine.jobs().submit(CALLER, ECHO.request("").delay(Duration.ofHours(1))).jobId();
    await().until(() -> find(running).status() == JobStatus.RUNNING);

    engine.stop(Duration.ofMillis(50));

    assertThat(List.of(find(running), find(waiting)))
        .extracting(Job::status)
        .containsOnly(JobStatus.FAILED);
    assertThat(find(running).lastError())
        .contains("lost: the process stopped before the job ended");
  }
}
