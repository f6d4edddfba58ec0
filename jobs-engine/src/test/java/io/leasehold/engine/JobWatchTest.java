package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.jobs.ExponentialBackoff;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One process watches the jobs that another one runs. The poll interval is an hour, so each read
 * within the test was caused by a hint.
 */
class JobWatchTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final EngineConfig PATIENT =
      EngineConfig.defaults()
          .watchEvery(Duration.ofHours(1))
          .rescueEvery(Duration.ofMillis(100))
          .cancelGrace(Duration.ZERO);

  private static final JobType<String, String> WATCHED =
      Handlers.type("watched")
          .retry(new ExponentialBackoff(2, Duration.ofSeconds(1), Duration.ofSeconds(1), 0));
  private static final JobType<String, String> IN_TRANSACTION = Handlers.type("in_transaction");

  private static final Works works = new Works();
  private static RunningEngine worker;
  private static RunningEngine watcher;

  private final Semaphore gate = new Semaphore(0);

  private static Handlers handlers() {
    return new Handlers()
        .with(WATCHED, works)
        .inTransaction(IN_TRANSACTION, (tx, job, name) -> works.run(job, name));
  }

  private static void awaitListening(RunningEngine engine) {
    await().until(() -> engine.health().listener().silent().isPresent());
  }

  @BeforeAll
  static void start() {
    worker = RunningEngine.on(database, PATIENT, handlers());
    watcher = RunningEngine.on(database, PATIENT.roles(Set.of()));
    awaitListening(worker);
    awaitListening(watcher);
  }

  @AfterAll
  static void stop() {
    watcher.close();
    worker.close();
  }

  @AfterEach
  void letGo() {
    gate.release(100);
    worker.queues().resume("watched");
  }

  /** A job that does not start before the queue is resumed. */
  private static JobId waiting(JobHandler<String, String> work) {
    worker.queues().pause("watched", "a test");
    return worker.jobs().submit(CALLER, WATCHED.request(works.of(work))).jobId();
  }

  private static JobId running(JobHandler<String, String> work) {
    var begun = new Semaphore(0);
    var name =
        works.of(
            (job, input) -> {
              begun.release();
              return work.run(job, input);
            });
    var id = worker.jobs().submit(CALLER, WATCHED.request(name)).jobId();
    begun.acquireUninterruptibly();
    return id;
  }

  private String waitAtTheGate(JobContext job, String input) throws InterruptedException {
    gate.acquire();
    return input;
  }

  private static String fail(JobContext job, String input) {
    throw new IllegalStateException("it fails");
  }

  private static String failForGood(JobContext job, String input) {
    throw new PermanentFailure("it fails");
  }

  private static JobId dead() {
    var id = worker.jobs().submit(CALLER, WATCHED.request(works.of(JobWatchTest::failForGood)));
    worker.jobs().await(CALLER, id.jobId(), Duration.ofSeconds(10));
    return id.jobId();
  }

  @Test
  void notifiesOfAClaim() {
    var id = waiting(this::waitAtTheGate);
    try (var follower = Follower.settled(watcher, id)) {
      // Else the mark which follows a claim soon is told of, too.
      Works.ask(database, "REVOKE UPDATE ON leasehold.lease FROM leasehold_engine");
      worker.queues().resume("watched");

      follower.awaitStatus(JobStatus.RUNNING);
    } finally {
      Works.ask(database, "GRANT UPDATE ON leasehold.lease TO leasehold_engine");
    }
  }

  @Test
  void notifiesOfAnAttemptOnceItIsVisible() {
    var id = waiting(this::waitAtTheGate);
    try (var follower = Follower.settled(watcher, id)) {
      worker.queues().resume("watched");

      follower.awaitKind("started");
      gate.release();
    }
  }

  @Test
  void notifiesOfAnEvent() {
    var told = new Semaphore(0);
    var id =
        running(
            (job, input) -> {
              told.acquire();
              job.event("log", Map.of());
              return waitAtTheGate(job, input);
            });
    try (var follower = Follower.settled(watcher, id)) {
      told.release();

      follower.awaitKind("log");
      gate.release();
    }
  }

  @Test
  void notifiesOfProgress() {
    var told = new Semaphore(0);
    var id =
        running(
            (job, input) -> {
              told.acquire();
              job.progress(50, "half");
              return waitAtTheGate(job, input);
            });
    try (var follower = Follower.settled(watcher, id)) {
      told.release();

      follower.awaitKind("progress");
      gate.release();
    }
  }

  @Test
  void notifiesOfTheEnd() {
    var id = running(this::waitAtTheGate);
    try (var follower = Follower.settled(watcher, id)) {
      gate.release();

      follower.awaitKind("succeeded");
      follower.awaitStatus(JobStatus.SUCCEEDED);
    }
  }

  @Test
  void notifiesOfATransactionalEnd() {
    var name = works.of(this::waitAtTheGate);
    var id = worker.jobs().submit(CALLER, IN_TRANSACTION.request(name)).jobId();
    try (var follower = Follower.settled(watcher, id)) {
      gate.release();

      follower.awaitKind("succeeded");
    }
  }

  @Test
  void notifiesOfARetryAndTheNextAttempt() {
    var id =
        running(
            (job, input) -> {
              waitAtTheGate(job, input);
              return fail(job, input);
            });
    try (var follower = Follower.settled(watcher, id)) {
      gate.release();

      follower.awaitKind("retry_scheduled");
      await().until(() -> follower.kinds().stream().filter("started"::equals).count() == 2);
      gate.release();
      follower.awaitKind("failed");
    }
  }

  @Test
  void notifiesOfAJobThatIsPutOff() {
    var id =
        waiting(
            (job, input) -> {
              job.event("log", Map.of());
              throw new RetryLater(Duration.ofHours(1));
            });
    try (var follower = Follower.settled(watcher, id)) {
      worker.queues().resume("watched");

      follower.awaitKind("put_off");
      follower.awaitStatus(JobStatus.QUEUED);
    }
  }

  @Test
  void notifiesOfAJobThatBecomesDue() {
    var name = works.of((job, input) -> input);
    var request = WATCHED.request(name).delay(Duration.ofSeconds(3));
    var id = worker.jobs().submit(CALLER, request).jobId();
    worker.queues().pause("watched", "a test");
    try (var follower = Follower.settled(watcher, id)) {
      var before = follower.calls();

      await().atMost(Duration.ofSeconds(10)).until(() -> follower.calls() > before);
    }
  }

  @Test
  void notifiesOfACancelledWaitingJob() {
    var id = waiting(JobWatchTest::fail);
    try (var follower = Follower.settled(watcher, id)) {
      worker.jobs().cancel(CALLER, id);

      follower.awaitKind("cancelled");
      follower.awaitStatus(JobStatus.CANCELLED);
    }
  }

  @Test
  void notifiesOfACancelledRunningJob() {
    var id = running(this::waitAtTheGate);
    try (var follower = Follower.settled(watcher, id)) {
      worker.jobs().cancel(CALLER, id);

      follower.awaitKind("cancelled");
      assertThat(follower.kinds()).contains("cancel_requested");
    }
  }

  @Test
  void notifiesOfAManualRetryAfterItsCommit() {
    var id = dead();
    worker.queues().pause("watched", "a test");
    try (var follower = Follower.settled(watcher, id)) {
      var before = follower.calls();
      worker
          .transactions()
          .asTenant(
              CALLER,
              tx -> {
                worker.jobs().retry(tx, id);
                assertThat(follower.calls()).isEqualTo(before);
                return id;
              });

      follower.awaitStatus(JobStatus.QUEUED);
    }
  }

  @Test
  void notifiesOfManyRetriedDeadLetters() {
    var id = dead();
    worker.queues().pause("watched", "a test");
    try (var follower = Follower.settled(watcher, id)) {
      worker.deadLetters().retryAll(CALLER, JobFilter.newest());

      follower.awaitStatus(JobStatus.QUEUED);
    }
  }

  @Test
  void notifiesOfManyDiscardedDeadLetters() {
    var id = dead();
    try (var follower = Follower.settled(watcher, id)) {
      follower.awaitStatus(JobStatus.FAILED);

      worker.deadLetters().discardAll(CALLER, JobFilter.newest());

      follower.awaitGone();
    }
  }

  @Test
  void notifiesOfADeletedJob() {
    var id = waiting(JobWatchTest::fail);
    try (var follower = Follower.settled(watcher, id)) {
      follower.awaitStatus(JobStatus.QUEUED);

      worker.jobs().delete(CALLER, id);

      follower.awaitGone();
    }
  }

  @Test
  void notifiesOfAJobThatIsDeletedAfterItsEnd() {
    var id = running(this::waitAtTheGate);
    try (var follower = Follower.settled(watcher, id)) {
      follower.awaitStatus(JobStatus.RUNNING);

      worker.jobs().forceDelete(CALLER, id);

      follower.awaitGone();
    }
  }

  @Test
  void notifiesOfALostWorkerAndOfTheNext() {
    var id = running(this::waitAtTheGate);
    worker.queues().pause("watched", "a test");
    try (var follower = Follower.settled(watcher, id)) {
      Works.ask(
          database,
          "UPDATE leasehold.lease SET locked_until = now() - interval '1 hour' WHERE id = '%s'"
              .formatted(id));

      follower.awaitKind("worker_lost");
      worker.queues().resume("watched");
      follower.awaitKind("reclaimed");
      gate.release(2);
    }
  }

  @Test
  void notifiesOfAReleasedJob() {
    var type = Handlers.type("given_back");
    var begun = new Semaphore(0);
    var handlers =
        new Handlers()
            .with(
                type,
                (job, input) -> {
                  begun.release();
                  return waitAtTheGate(job, input);
                });
    try (var stopping = RunningEngine.on(database, PATIENT, handlers)) {
      awaitListening(stopping);
      var id = stopping.jobs().submit(CALLER, type.request("x")).jobId();
      begun.acquireUninterruptibly();
      try (var follower = Follower.settled(watcher, id)) {
        stopping.stop(Duration.ofMillis(10));

        follower.awaitKind("released");
      }
    }
  }

  @Test
  void notifiesOfASubmissionThatWasWatchedBeforeItsCommit() {
    worker.queues().pause("watched", "a test");
    var followers = new ArrayList<Follower>();
    worker
        .transactions()
        .asTenant(
            CALLER,
            tx -> {
              var request = WATCHED.request(works.of(JobWatchTest::fail));
              var id = worker.jobs().submit(tx, request).jobId();
              followers.add(Follower.settled(watcher, id));
              return id;
            });
    try (var follower = followers.getFirst()) {
      follower.awaitKind("queued");
    }
  }

  @Test
  void notifiesOfJobsInDirectMode() {
    var type = Handlers.type("direct");
    var handlers = new Handlers().with(type, this::waitAtTheGate);
    var config = PATIENT.mode(EngineConfig.Mode.DIRECT);
    try (var direct = RunningEngine.on(database, config, handlers)) {
      awaitListening(direct);
      var id = direct.jobs().submit(CALLER, type.request("x")).jobId();
      try (var follower = Follower.settled(watcher, id)) {
        gate.release();

        follower.awaitKind("succeeded");
      }
    }
  }

  @Test
  void notifiesTheProcessThatRunsTheJob() {
    var id = running(this::waitAtTheGate);
    try (var follower = Follower.settled(worker, id)) {
      gate.release();

      follower.awaitKind("succeeded");
    }
  }

  @Test
  void notifiesAllWatchersUntilTheyAreClosed() {
    var id = running(this::waitAtTheGate);
    var closed = Follower.of(watcher, id);
    closed.close();
    try (var one = Follower.settled(watcher, id);
        var _ =
            watcher
                .watch()
                .watch(
                    CALLER,
                    id,
                    () -> {
                      throw new IllegalStateException("it cannot be told");
                    });
        var other = Follower.settled(watcher, id)) {
      var before = closed.calls();
      gate.release();

      one.awaitKind("succeeded");
      other.awaitKind("succeeded");
      assertThat(closed.calls()).isEqualTo(before);
    }
  }

  @Test
  void newWorkerLearnsOfWatchesBeforeTheNextAnnouncement() {
    var type = Handlers.type("newcomer");
    var handlers =
        new Handlers()
            .with(
                type,
                (job, input) -> {
                  while (!gate.tryAcquire(10, TimeUnit.MILLISECONDS)) {
                    job.event("log", Map.of());
                  }
                  return input;
                });
    try (var fresh = RunningEngine.on(database, PATIENT.roles(Set.of()))) {
      var begin = System.nanoTime();
      awaitListening(fresh);
      var id = fresh.jobs().submit(CALLER, type.request("x")).jobId();
      try (var follower = Follower.settled(fresh, id);
          var _ = RunningEngine.on(database, PATIENT, handlers)) {
        follower.awaitKind("log");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(9));
        gate.release();
      }
    }
  }

  @Test
  void watchingTenThousandJobsIsCheap() {
    var id = running(this::waitAtTheGate);
    var begin = System.nanoTime();
    var watches = new ArrayList<AutoCloseable>();
    var called = new AtomicInteger();
    for (int i = 0; i < 10_000; i++) {
      var absent = new JobId(UUID.randomUUID());
      watches.add(watcher.watch().watch(CALLER, absent, called::incrementAndGet));
    }
    var took = Duration.ofNanos(System.nanoTime() - begin);
    try (var follower = Follower.settled(watcher, id)) {
      gate.release();

      follower.awaitKind("succeeded");
    }
    await().untilAsserted(() -> assertThat(called).hasValue(20_000));
    assertThat(took).isLessThan(Duration.ofSeconds(5));
    closeAll(watches);
  }

  private static void closeAll(List<AutoCloseable> watches) {
    for (var watch : watches) {
      try {
        watch.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void callsAllWatchersAfterAReconnect() throws IOException {
    try (var proxy = TcpProxy.before(database.jdbcUrl());
        var cut =
            RunningEngine.on(
                RunningEngine.at(database.jdbcUrl()).listenUrl(proxy.jdbcUrl()).build(),
                PATIENT.roles(Set.of()))) {
      awaitListening(cut);
      var id = running(this::waitAtTheGate);
      try (var follower = Follower.settled(cut, id)) {
        proxy.fallSilent(); // Notifications are lost from now on.
        gate.release();
        await()
            .until(
                () -> worker.jobs().find(CALLER, id).orElseThrow().status() == JobStatus.SUCCEEDED);
        assertThat(follower.kinds()).doesNotContain("succeeded");

        proxy.cutAll();
        proxy.speakAgain();

        follower.awaitKind("succeeded");
      }
    }
  }

  @Test
  void notifiesAcrossProcessesWithinFiftyMilliseconds() throws IOException {
    try (var process = ClientProcess.start(WatchMain.class, database.jdbcUrl())) {
      var id = watcher.jobs().submit(CALLER, WatchMain.ELSEWHERE.request("x")).jobId();
      process.nextLine();
      try (var follower = Follower.settled(watcher, id)) {
        var waits = new ArrayList<Duration>();
        for (int i = 0; i < 21; i++) {
          var begin = System.nanoTime();
          process.tell("told." + i);
          follower.awaitKind("told." + i);
          waits.add(Duration.ofNanos(System.nanoTime() - begin));
        }
        process.tell("end");

        follower.awaitKind("succeeded");
        // The least of them is what it costs; the others also wait for whatever else the machine
        // does.
        assertThat(Collections.min(waits)).isLessThan(Duration.ofMillis(50));
      }
    }
  }

  @Test
  void callsWatchersAtThePollInterval() {
    var config = EngineConfig.defaults().roles(Set.of(Role.MAINTENANCE));
    try (var engine = RunningEngine.on(database, config.watchEvery(Duration.ofMillis(200)))) {
      try (var follower = Follower.of(engine, new JobId(UUID.randomUUID()))) {
        await().atMost(Duration.ofSeconds(10)).until(() -> follower.calls() >= 6);
      }
    }
  }

  @Test
  void callsEverySecondWithoutNotifications() {
    var db = RunningEngine.at(database.jdbcUrl()).notifications(false).build();
    try (var deaf = RunningEngine.on(db, PATIENT)) {
      var id = running(this::waitAtTheGate);
      try (var follower = Follower.settled(deaf, id)) {
        gate.release();

        follower.awaitKind("succeeded");
      }
    }
  }
}
