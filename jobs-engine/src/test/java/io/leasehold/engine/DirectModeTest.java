package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.JobsException.Limit;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs that run where they are submitted, four at once. */
class DirectModeTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Logger log = LoggerFactory.getLogger(DirectModeTest.class);

  private static final int CAP = 4;
  private static final int SUBMISSIONS = 100;

  private static final EngineConfig CONFIG =
      EngineConfig.defaults()
          .mode(EngineConfig.Mode.DIRECT)
          .directConcurrency(CAP)
          .lease(Duration.ofSeconds(2))
          .rescueEvery(Duration.ofMillis(200))
          .pollEvery(Duration.ofMillis(100))
          .cancelGrace(Duration.ofMillis(50));

  private static final JobType<String, String> HOLDING = Handlers.type("holding");
  private static final JobType<String, String> OTHER = Handlers.type("other");
  private static final JobType<String, String> SECOND =
      Handlers.type("second").retry(RetryPolicy.exponential(2).first(Duration.ofMillis(100)));
  private static final JobType<String, String> FAILING = Handlers.type("failing");

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final Semaphore gate = new Semaphore(0);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger runningMost = new AtomicInteger();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private RunningEngine engine;

  @BeforeEach
  void start() {
    var handlers =
        new Handlers()
            .with(HOLDING, (job, input) -> hold(input))
            .with(OTHER, (job, input) -> hold(input))
            .with(
                SECOND,
                (job, input) -> {
                  if (job.attempt() == 1) {
                    throw new IllegalStateException("not yet");
                  }
                  return input;
                })
            .with(
                FAILING,
                (job, input) -> {
                  throw new IllegalStateException("never");
                });
    engine = RunningEngine.on(database, CONFIG, handlers);
  }

  private String hold(String input) throws InterruptedException {
    runningMost.accumulateAndGet(running.incrementAndGet(), Math::max);
    ran.add(input);
    try {
      gate.acquire();
      return input;
    } finally {
      running.decrementAndGet();
    }
  }

  @AfterEach
  void stop() {
    gate.release(1_000);
    engine.close();
  }

  private JobId submit(JobType<String, String> type, String input) {
    return engine.jobs().submit(caller, type.request(input)).jobId();
  }

  private Job find(JobId id) {
    return engine.jobs().find(caller, id).orElseThrow();
  }

  private Job awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(20)).until(() -> find(id).status().isFinal());
    return find(id);
  }

  private void fill() {
    IntStream.range(0, CAP).forEach(i -> submit(i % 2 == 0 ? HOLDING : OTHER, "" + i));
    await().until(() -> running.get() == CAP);
  }

  private void assertFull() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(HOLDING, "one too many"))
        .withMessage("this process runs 4 jobs, and takes at most 4 at once")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DIRECT_FULL))
        .satisfies(e -> assertThat(e.limit()).contains(new Limit(CAP, CAP)));
  }

  private int rows(String table) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM leasehold.%s WHERE tenant_id = '%s'"
                    .formatted(table, caller.tenant()))) {
      rows.next();
      return rows.getInt(1);
    }
  }

  // Which submissions are refused, and that they leave nothing, is checked each time. A slow answer
  // can also come from other load on the machine: only three slow rounds in a row are our fault.
  @Test
  void runsJobsUpToItsConcurrencyAndRefusesTheRestAtOnce() throws Exception {
    awaitEnd(submit(SECOND, "the first is slow")); // Connections, plans, classes.
    var slowest = Duration.ofDays(1);
    for (int i = 0; i < 3 && slowest.compareTo(Duration.ofMillis(50)) >= 0; i++) {
      slowest = slowestRefusalOfAFlood();
    }

    assertThat(slowest).isLessThan(Duration.ofMillis(50));
    assertThat(runningMost).hasValue(CAP);
  }

  @Test
  void aTimedOutJobsErrorNamesItsTimeout() {
    var request = HOLDING.request("too long").timeout(Duration.ofMillis(400));

    var job = awaitEnd(engine.jobs().submit(caller, request).jobId());

    assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(job.lastError()).contains("timed out after 400 ms");
  }

  @Test
  void startsNoJobOfAPausedQueue() throws Exception {
    var key = HOLDING.request("before").key("once");
    var first = engine.jobs().submit(caller, key);
    engine.queues().pause(HOLDING.queue(), "a test");

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(HOLDING, "paused"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_PAUSED));
    assertThat(rows("job")).isEqualTo(1);
    assertThat(engine.jobs().submit(caller, key)).isEqualTo(new Submission(first.jobId(), true));
    engine.queues().resume(HOLDING.queue());
  }

  @Test
  void startsNoJobOfAPausedTenant() throws Exception {
    engine.queues().pause(HOLDING.queue(), caller.tenant(), "a test");

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(HOLDING, "paused"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_PAUSED));
    assertThat(rows("job")).isZero();
  }

  private Duration slowestRefusalOfAFlood() throws Exception {
    var before = rows("job");
    ran.clear();
    var taken = Collections.synchronizedList(new ArrayList<Submission>());
    var refusedNanos = Collections.synchronizedList(new ArrayList<Long>());

    flood(taken, refusedNanos);

    await().until(() -> running.get() == CAP);
    var nanos = refusedNanos.stream().mapToLong(Long::longValue).sorted().toArray();
    log.warn(
        "{} refusals: half within {} us, nine of ten within {} us, all within {} us",
        nanos.length,
        nanos[nanos.length / 2] / 1_000,
        nanos[nanos.length * 9 / 10] / 1_000,
        nanos[nanos.length - 1] / 1_000);
    assertThat(taken).hasSize(CAP).noneMatch(Submission::repeated);
    assertThat(nanos).hasSize(SUBMISSIONS - CAP);
    assertThat(rows("job") - before).isEqualTo(CAP);
    assertThat(rows("lease")).isEqualTo(CAP);
    assertThat(rows("ready") + rows("scheduled")).isZero();
    gate.release(CAP);
    taken.forEach(submission -> assertThat(awaitEnd(submission.jobId()).attempts()).isEqualTo(1));
    assertThat(ran).hasSize(CAP);
    return Duration.ofNanos(nanos[nanos.length - 1]);
  }

  private void flood(List<Submission> taken, List<Long> refusedNanos) throws InterruptedException {
    var begin = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < SUBMISSIONS; i++) {
      var input = "" + i;
      threads.add(Thread.ofPlatform().start(() -> submit(begin, input, taken, refusedNanos)));
    }
    begin.countDown();
    for (var thread : threads) {
      thread.join();
    }
  }

  private void submit(
      CountDownLatch begin, String input, List<Submission> taken, List<Long> refusedNanos) {
    try {
      begin.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    var sentAt = System.nanoTime();
    try {
      taken.add(engine.jobs().submit(caller, HOLDING.request(input)));
    } catch (JobsException e) {
      var nanos = System.nanoTime() - sentAt;
      if (e.code() == ErrorCode.DIRECT_FULL) {
        refusedNanos.add(nanos);
      }
    }
  }

  @Test
  void aSlotIsFreeAgainWhenItsJobHasEnded() {
    fill();
    assertFull();

    gate.release(1);

    await()
        .ignoreException(JobsException.class)
        .untilAsserted(() -> submit(OTHER, "now there is room"));
    await().until(() -> running.get() == CAP);
    assertFull();
  }

  @Test
  void aRollbackAndATakenKeyGiveTheSlotBack() throws SQLException {
    var keyed = HOLDING.request("keyed").key("october");
    var first = engine.jobs().submit(caller, keyed);
    for (int i = 0; i < 2 * CAP; i++) {
      assertThat(engine.jobs().submit(caller, keyed))
          .isEqualTo(new Submission(first.jobId(), true));
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () ->
                  engine
                      .transactions()
                      .asTenant(
                          caller,
                          tx -> {
                            engine.jobs().submit(tx, HOLDING.request("never"));
                            throw new IllegalStateException("on purpose");
                          }));
    }

    assertThat(rows("job")).isEqualTo(1);
    IntStream.range(1, CAP).forEach(i -> submit(HOLDING, "" + i));
    await().until(() -> running.get() == CAP);
    assertFull();
    assertThat(ran).doesNotContain("never");
  }

  @Test
  void startsAfterTheCommitAndARefusalKeepsTheTransaction() {
    var ids = new ArrayList<JobId>();
    engine
        .transactions()
        .asTenant(
            caller,
            tx -> {
              for (int i = 0; i < CAP; i++) {
                ids.add(engine.jobs().submit(tx, HOLDING.request("" + i)).jobId());
              }
              assertThatExceptionOfType(JobsException.class)
                  .isThrownBy(() -> engine.jobs().submit(tx, HOLDING.request("too many")));
              assertThat(running).hasValue(0);
              return true;
            });

    await().until(() -> running.get() == CAP);
    gate.release(CAP);
    assertThat(ids).allMatch(id -> awaitEnd(id).status() == JobStatus.SUCCEEDED);
    assertThat(ran).containsExactlyInAnyOrder("0", "1", "2", "3");
  }

  @Test
  void retriedJobsAreClaimedWhenASlotIsFree() {
    assertThat(awaitEnd(submit(SECOND, "again")).attempts()).isEqualTo(2);

    var failed = submit(FAILING, "");
    assertThat(awaitEnd(failed).status()).isEqualTo(JobStatus.FAILED);
    fill();
    var delayed =
        engine.jobs().submit(caller, SECOND.request("").delay(Duration.ofMillis(1))).jobId();
    assertThat(engine.jobs().retry(caller, failed)).isInstanceOf(RetryOutcome.Queued.class);
    assertThat(find(failed).status()).isEqualTo(JobStatus.QUEUED);
    gate.release(2);

    assertThat(awaitEnd(delayed).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(awaitEnd(failed).status()).isEqualTo(JobStatus.FAILED);
    assertThat(runningMost).hasValue(CAP);
  }

  @Test
  void aCancelReachesTheRunningJob() {
    var id = submit(HOLDING, "");
    await().until(() -> running.get() == 1);

    assertThat(engine.jobs().cancel(caller, id)).isInstanceOf(Cancellation.Requested.class);

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.CANCELLED);
  }

  // The lease has expired when the transaction commits. Either its worker gives the job back, and
  // counts no attempt because none began, or the rescue takes it first, and counts one.
  @Test
  void aJobWhoseLeaseExpiredBeforeTheCommitStillRuns() throws SQLException {
    var id =
        engine
            .transactions()
            .asTenant(
                caller,
                tx -> {
                  var submitted = engine.jobs().submit(tx, HOLDING.request("late")).jobId();
                  var since = System.nanoTime();
                  await()
                      .until(() -> System.nanoTime() - since > CONFIG.lease().toNanos() * 11 / 10);
                  return submitted;
                });
    assertThat(ran).isEmpty();

    gate.release(1);
    var job = awaitEnd(id);
    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isBetween(1, 2);
    assertThat(ran).containsExactly("late");
    fill();
    assertFull();
  }

  @Test
  void isRefusedWithoutAHandlerAndAfterTheStop() throws SQLException {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(Handlers.type("unknown"), ""))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.HANDLER_UNKNOWN));
    engine.stop(Duration.ofSeconds(1));
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> submit(HOLDING, ""))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_STOPPED));

    assertThat(rows("job")).isZero();
  }

  @Test
  void submitsAllOrNone() throws SQLException {
    var five = IntStream.range(0, CAP + 1).mapToObj(i -> HOLDING.request("" + i)).toList();

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> engine.jobs().submitAll(caller, five.iterator()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DIRECT_FULL));
    assertThat(rows("job")).isZero();

    assertThat(engine.jobs().submitAll(caller, five.subList(0, CAP).iterator())).hasSize(CAP);
    await().until(() -> running.get() == CAP);
  }

  @Test
  void refusesJobsWhoseDependenciesAreUnfinished() {
    gate.release(2);
    var done = engine.jobs().submit(caller, OTHER.request("done")).jobId();
    engine.jobs().await(caller, done, Duration.ofSeconds(30));
    var last = engine.jobs().submit(caller, OTHER.request("last").after(done)).jobId();
    assertThat(engine.jobs().await(caller, last, Duration.ofSeconds(30)).orElseThrow().status())
        .isEqualTo(JobStatus.SUCCEEDED);
    var running = engine.jobs().submit(caller, HOLDING.request("running")).jobId();

    assertRefused(OTHER.request("x").after(done, running), ErrorCode.DEPENDENCY_UNMET);
    assertRefused(
        OTHER.request("x").after(new JobId(UUID.randomUUID())), ErrorCode.DEPENDENCY_UNKNOWN);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.jobs().submit(caller, OTHER.request("x").key("k").reuse()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.batches().submit(caller, List.of(OTHER.request("x")).iterator()));
  }

  private void assertRefused(JobRequest<?, ?> request, ErrorCode code) {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> engine.jobs().submit(caller, request))
        .extracting(JobsException::code)
        .isEqualTo(code);
  }
}
