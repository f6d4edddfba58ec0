package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.lease.MarkBegun;
import io.leasehold.engine.work.lease.ParkJobs;
import io.leasehold.engine.work.lease.PutOff;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.WhenLost;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The history of a job, by what happens to it. */
class EventsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final RetryPolicy THREE = RetryPolicy.exponential(3).first(Duration.ofMillis(1));
  private static final JobType<String, String> TYPE = Handlers.type("told").retry(THREE);
  private static final JobType<String, String> SLOW =
      Handlers.type("slow").timeout(Duration.ofMillis(200));
  private static final JobType<String, String> FRAIL =
      Handlers.type("frail").whenLost(WhenLost.FAIL);
  private static final JobType<String, String> IN_TRANSACTION = Handlers.type("transaction");
  private static final JobType<String, String> STOPPED = Handlers.type("stopped");

  private static final EngineConfig CONFIG =
      EngineConfig.defaults()
          .rescueEvery(Duration.ofMillis(200))
          .cancelGrace(Duration.ofMillis(100))
          .eventsMost(1_100);

  private static final Works works = new Works();
  private static RunningEngine engine;

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(TYPE, works)
            .with(SLOW, works)
            .with(FRAIL, works)
            .inTransaction(IN_TRANSACTION, (tx, job, input) -> works.run(job, input));
    engine = RunningEngine.on(database, CONFIG, handlers);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void historyOfAJobWithoutEventsIsNotStored() {
    var id = done(TYPE, (job, _) -> "done");

    assertThat(kinds(id)).containsExactly("queued", "started", "succeeded");
    assertThat(ask("SELECT count(*) FROM leasehold.event WHERE id = '%s'".formatted(id)))
        .isEqualTo("0");
    assertThat(ask("SELECT count(*) FROM leasehold.attempt WHERE id = '%s'".formatted(id)))
        .isEqualTo("0");
  }

  @Test
  void eventsKeepTheHandlersOrder() {
    JobHandler<String, String> work =
        (job, _) -> {
          job.event("log", Map.of("line", 1));
          job.progress(10, "a tenth");
          job.event("task_status", "working");
          job.progress(20, "overtaken");
          job.event("log", List.of(2));
          job.progress(100, "all");
          return "done";
        };
    for (var type : List.of(TYPE, IN_TRANSACTION)) {
      var id = done(type, work);

      var told = history(id);
      assertThat(told)
          .extracting(JobEvent::kind)
          .startsWith("queued", "started", "log")
          .endsWith("log", "progress", "succeeded");
      assertThat(told)
          .filteredOn(event -> event.kind().equals("log"))
          .extracting(JobEvent::body)
          .containsExactly("{\"line\":1}", "[2]");
      assertThat(told.get(told.size() - 2).body()).isEqualTo("{\"percent\":100,\"note\":\"all\"}");
      assertThat(told.subList(1, told.size())).extracting(JobEvent::attempt).containsOnly(1);
      assertThat(engine.jobs().find(CALLER, id).orElseThrow().progress().orElseThrow().percent())
          .isEqualTo(100);
    }
  }

  @Test
  void historyShowsEachAttempt() {
    var id =
        done(
            TYPE,
            (job, _) -> {
              job.event("log", job.attempt());
              if (job.attempt() < 3) {
                throw new IllegalStateException("not yet");
              }
              return "done";
            });

    assertThat(kinds(id))
        .containsExactly(
            "queued",
            "started",
            "log",
            "retry_scheduled",
            "started",
            "log",
            "retry_scheduled",
            "started",
            "log",
            "succeeded");
    assertThat(history(id).get(3).body())
        .startsWith("{\"error\":\"java.lang.IllegalStateException: not yet")
        .contains("\"status\":\"failed\",\"retry_at\":\"20");
  }

  @Test
  void historyEndsWhenAttemptsAreUsedUp() {
    var id = done(TYPE, EventsTest::fail);

    assertThat(kinds(id))
        .containsExactly(
            "queued",
            "started",
            "retry_scheduled",
            "started",
            "retry_scheduled",
            "started",
            "failed");
    assertThat(history(id).getLast().body()).contains("no luck");
  }

  @Test
  void historyEndsWithATimeout() {
    var id =
        done(
            SLOW,
            (job, _) -> {
              job.event("log", "waiting");
              new CountDownLatch(1).await();
              return "never";
            });

    assertThat(kinds(id)).containsExactly("queued", "started", "log", "timed_out");
  }

  @Test
  void historyEndsWithACancelBeforeTheStart() {
    var id = engine.jobs().submit(CALLER, TYPE.request("").delay(Duration.ofHours(1))).jobId();

    engine.jobs().cancel(CALLER, id);

    assertThat(kinds(id)).containsExactly("queued", "cancelled");
    assertThat(page(id, EventCursor.BEGIN).isOver()).isTrue();
  }

  @Test
  void historyShowsACancelRequest() throws Exception {
    var begun = new CountDownLatch(1);
    var id =
        submit(
            TYPE,
            (job, _) -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return "never";
            });
    begun.await();
    await().untilAsserted(() -> assertThat(kinds(id)).containsExactly("queued", "started"));

    engine.jobs().cancel(CALLER, id);
    engine.jobs().cancel(CALLER, id);

    awaitEnd(id);
    assertThat(kinds(id)).containsExactly("queued", "started", "cancel_requested", "cancelled");
  }

  @Test
  void historyContinuesWithTheNextWorker() throws Exception {
    var begun = new CountDownLatch(1);
    var id =
        submit(
            TYPE,
            (job, _) -> {
              job.event("log", job.attempt());
              if (job.attempt() == 1) {
                begun.countDown();
                hold();
              }
              return "done";
            });
    begun.await();

    robOfItsLease(id);

    awaitEnd(id);
    assertThat(kinds(id))
        .containsExactly(
            "queued", "started", "log", "worker_lost", "reclaimed", "log", "succeeded");
    assertThat(history(id)).extracting(JobEvent::attempt).containsExactly(0, 1, 1, 1, 2, 2, 2);
  }

  @Test
  void historyEndsWithALostWorker() throws Exception {
    var begun = new CountDownLatch(1);
    var id =
        submit(
            FRAIL,
            (job, _) -> {
              begun.countDown();
              hold();
              return "never";
            });
    begun.await();

    robOfItsLease(id);

    awaitEnd(id);
    assertThat(kinds(id)).containsExactly("queued", "started", "worker_lost", "failed");
    assertThat(history(id).getLast().body()).contains("was lost during attempt 1");
  }

  @Test
  void historyShowsThatAJobWasReleased() throws Exception {
    var begun = new CountDownLatch(1);
    var handlers =
        new Handlers()
            .with(
                STOPPED,
                (job, input) -> {
                  if (job.attempt() == 1) {
                    job.event("log", "begun");
                    begun.countDown();
                    new CountDownLatch(1).await();
                  }
                  return "done";
                });
    JobId id;
    try (var first = RunningEngine.on(database, CONFIG, handlers)) {
      id = first.jobs().submit(CALLER, STOPPED.request("")).jobId();
      begun.await();
      first.stop(Duration.ZERO);
    }
    assertThat(kinds(id)).containsExactly("queued", "started", "log", "released");

    try (var second = RunningEngine.on(database, CONFIG, handlers)) {
      assertThat(second.jobs().await(CALLER, id, Duration.ofSeconds(20)).orElseThrow().status())
          .isEqualTo(JobStatus.SUCCEEDED);
    }
    assertThat(kinds(id))
        .containsExactly("queued", "started", "log", "released", "started", "succeeded");
  }

  @Test
  void historyShowsThatAJobWasPutOff() throws Exception {
    var begun = new CountDownLatch(1);
    var again = new CountDownLatch(1);
    var id =
        submit(
            TYPE,
            (job, _) -> {
              if (begun.getCount() == 0) {
                return "done";
              }
              job.event("log", "begun");
              begun.countDown();
              again.await();
              return "refused";
            });
    begun.await();

    engine
        .transactions()
        .asEngine(
            tx ->
                ParkJobs.park(
                    tx, worker(id), List.of(lease(id)), Duration.ofMillis(1), PutOff.LATER));
    again.countDown();

    awaitEnd(id);
    assertThat(kinds(id))
        .containsExactly("queued", "started", "log", "put_off", "started", "succeeded");
  }

  @Test
  void aLeaseWithoutAnAttemptLeavesNoEvent() {
    var unknown = Handlers.type("unknown").queue("told");

    var id = engine.jobs().submit(CALLER, unknown.request("")).jobId();

    await()
        .until(
            () ->
                ask("SELECT count(*) FROM leasehold.scheduled WHERE id = '%s'".formatted(id))
                    .equals("1"));
    assertThat(kinds(id)).containsExactly("queued");
  }

  @Test
  void historyContinuesAfterAManualRetry() {
    var id = done(TYPE, EventsTest::giveUp);
    var before = history(id);

    engine.jobs().retry(CALLER, id);

    await().until(() -> kinds(id).stream().filter("failed"::equals).count() == 2);
    assertThat(kinds(id))
        .containsExactly("queued", "started", "failed", "queued", "started", "failed");
    assertThat(history(id)).startsWith(before.toArray(JobEvent[]::new));
    var cancelled =
        engine.jobs().submit(CALLER, TYPE.request("").delay(Duration.ofHours(1))).jobId();
    engine.jobs().cancel(CALLER, cancelled);
    engine.jobs().retry(CALLER, cancelled);
    await().until(() -> engine.jobs().find(CALLER, cancelled).orElseThrow().status().isFinal());
    assertThat(kinds(cancelled)).startsWith("queued", "cancelled", "queued", "started");
  }

  @Test
  void historyIsTheSameFromAnyCursor() throws Exception {
    var readers = new ArrayList<Reader>();
    var begun = new CountDownLatch(4);
    JobHandler<String, String> work =
        (job, _) -> {
          for (int i = 0; i < 40; i++) {
            job.event("log", i);
            job.progress(i, "going on");
            if (i == 20 && job.attempt() == 1) {
              begun.countDown();
              hold();
            }
            if (i == 30 && job.attempt() == 2) {
              throw new IllegalStateException("no");
            }
            Thread.onSpinWait();
          }
          return "done";
        };
    for (int i = 0; i < 4; i++) {
      readers.add(new Reader(submit(TYPE, work)));
    }
    var threads = readers.stream().map(reader -> Thread.ofVirtual().start(reader)).toList();
    begun.await();
    for (var reader : readers) {
      await().until(() -> kinds(reader.id).stream().filter("log"::equals).count() == 21);
      robOfItsLease(reader.id);
    }
    for (var thread : threads) {
      thread.join();
    }

    for (var reader : readers) {
      var whole = history(reader.id);
      assertThat(reader.seen).isEqualTo(whole);
      assertThat(whole).extracting(JobEvent::kind).contains("worker_lost", "reclaimed");
      assertThat(whole).filteredOn(event -> event.kind().equals("log")).hasSize(21 + 31 + 40);
      assertThat(whole).extracting(JobEvent::cursor).isSorted().doesNotHaveDuplicates();
      for (int at = 0; at < whole.size(); at++) {
        assertThat(page(reader.id, whole.get(at).cursor()).events())
            .isEqualTo(whole.subList(at + 1, whole.size()));
      }
    }
  }

  /** Reads as a page for people would: on from where it was, until all is over. */
  private static final class Reader implements Runnable {

    private final JobId id;
    private final List<JobEvent> seen = new CopyOnWriteArrayList<>();

    private Reader(JobId id) {
      this.id = id;
    }

    @Override
    public void run() {
      var cursor = EventCursor.BEGIN;
      while (true) {
        var page = engine.jobs().events(CALLER, id, cursor, 7).orElseThrow();
        seen.addAll(page.events());
        cursor = page.next();
        if (page.isOver()) {
          return;
        }
      }
    }
  }

  @Test
  void eventsAreWrittenAFewTimesASecond() {
    var took = new CopyOnWriteArrayList<Duration>();
    var id =
        done(
            TYPE,
            (job, _) -> {
              var begin = System.nanoTime();
              for (int i = 0; i < 500; i++) {
                job.event("log", i);
                job.progress(i / 5, "going on");
              }
              took.add(Duration.ofNanos(System.nanoTime() - begin));
              return "done";
            });

    var writes =
        Integer.parseInt(
            ask(
                "SELECT count(DISTINCT xmin::text) FROM leasehold.event WHERE id = '%s'"
                    .formatted(id)));
    var logs = history(id).stream().filter(event -> event.kind().equals("log")).toList();
    assertThat(logs).extracting(JobEvent::body).containsExactlyElementsOf(numbers(500));
    assertThat(writes).isLessThanOrEqualTo(3 + (int) (took.getFirst().toMillis() / 100));
    assertThat(kinds(id).stream().filter("progress"::equals).count())
        .isLessThanOrEqualTo(3 + took.getFirst().toMillis() / 100);
  }

  @Test
  void numberOfEventsIsBounded() {
    var id =
        done(
            TYPE,
            (job, _) -> {
              for (int i = 0; i < 700; i++) {
                job.event("log", i);
              }
              job.progress(job.attempt() * 10, "");
              if (job.attempt() < 3) {
                throw new IllegalStateException("again");
              }
              return "done";
            });

    var kinds = kinds(id);
    assertThat(kinds.stream().filter("log"::equals).count()).isBetween(1_098L, 1_100L);
    assertThat(kinds.stream().filter("events_dropped"::equals).count()).isEqualTo(1);
    assertThat(kinds).endsWith("started", "succeeded");
    assertThat(engine.jobs().find(CALLER, id).orElseThrow().progress().orElseThrow().percent())
        .isEqualTo(30);
  }

  @Test
  void numberOfPutOffsWithoutEventsIsBounded() throws Exception {
    var turns = new AtomicInteger();
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var id =
        putOffOften(
            (job, _) -> {
              var turn = turns.incrementAndGet();
              if (turn == 1) {
                begun.countDown();
                goOn.await();
              } else if (turn == 2) {
                job.event("log", "turn 2");
              } else {
                return "done";
              }
              throw new RetryLater(Duration.ofMillis(1));
            });
    begun.await();
    awaitMarks();
    var meanwhile = history(id);

    goOn.countDown();
    awaitEnd(id);

    assertThat(meanwhile).hasSize(1 + 2 * MarkBegun.PUT_OFFS_MOST + 1);
    assertThat(meanwhile.getLast().kind()).isEqualTo("queued");
    assertThat(history(id)).startsWith(meanwhile.toArray(JobEvent[]::new));
    assertThat(kinds(id).subList(meanwhile.size(), kinds(id).size()))
        .containsExactly("started", "log", "put_off", "started", "succeeded");
  }

  @Test
  void droppedEventsDoNotLengthenTheHistory() throws Exception {
    var told = new CountDownLatch(1);
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var id =
        putOffOften(
            (job, _) -> {
              told.await();
              job.progress(70, "dropped");
              begun.countDown();
              goOn.await();
              return "done";
            });
    ask(
        """
        INSERT INTO leasehold.event (tenant_id, id, token, number, told_at, kind, body)
        SELECT tenant_id, id, max(token), n, now(), 'log', '{}'
        FROM leasehold.attempt, generate_series(1, 1101) AS n WHERE id = '%s'
        GROUP BY tenant_id, id, n
        """
            .formatted(id));
    told.countDown();
    begun.await();
    awaitMarks();

    var meanwhile = kinds(id);
    goOn.countDown();
    awaitEnd(id);

    assertThat(meanwhile).endsWith("put_off", "queued");
    assertThat(kinds(id)).endsWith("put_off", "queued", "started", "succeeded");
  }

  // One that is due, of which as much is kept as may be.
  private static JobId putOffOften(JobHandler<String, String> work) {
    var request = TYPE.request(works.of(work)).delay(Duration.ofHours(1));
    var id = engine.jobs().submit(CALLER, request).jobId();
    ask(
        """
        INSERT INTO leasehold.attempt (tenant_id, id, token, attempt, status, started_at, ended_at)
        SELECT tenant_id, id, nextval('leasehold.lease_token'), 1, 'put_off', now(), now()
        FROM leasehold.job, generate_series(1, %d) WHERE id = '%s'
        """
            .formatted(MarkBegun.PUT_OFFS_MOST, id));
    engine.jobs().retry(CALLER, id);
    return id;
  }

  // Until what began before this is marked, if it is at all.
  private static void awaitMarks() {
    var goOn = new CountDownLatch(1);
    var id =
        submit(
            TYPE,
            (job, _) -> {
              goOn.await();
              return "done";
            });
    await().untilAsserted(() -> assertThat(kinds(id)).containsExactly("queued", "started"));
    goOn.countDown();
  }

  @Test
  void eventKindsOfThePlatformAreRefused() {
    var refused = new CopyOnWriteArrayList<String>();

    var id =
        done(
            TYPE,
            (job, _) -> {
              for (var kind : List.of("started", "succeeded", "progress", "Log", "", "a b")) {
                try {
                  job.event(kind, "");
                } catch (IllegalArgumentException e) {
                  refused.add(kind);
                }
              }
              try {
                job.event("log", "x".repeat(65_535));
              } catch (JobsException e) {
                refused.add(e.code().name());
              }
              return "done";
            });

    assertThat(refused)
        .containsExactly("started", "succeeded", "progress", "Log", "", "a b", "TOO_LARGE");
    assertThat(kinds(id)).containsExactly("queued", "started", "succeeded");
  }

  @Test
  void anEventAfterTheEndOfTheAttemptIsRefused() {
    var late = new CopyOnWriteArrayList<JobContext>();
    var id =
        done(
            TYPE,
            (job, _) -> {
              late.add(job);
              return "done";
            });

    assertThatThrownBy(() -> late.getFirst().event("log", "late"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(kinds(id)).containsExactly("queued", "started", "succeeded");
  }

  @Test
  void isAwaited() {
    var goOn = new CountDownLatch(1);
    var id =
        submit(
            TYPE,
            (job, _) -> {
              goOn.await();
              return "done";
            });

    var early = engine.jobs().await(CALLER, id, Duration.ofMillis(30)).orElseThrow();
    goOn.countDown();
    var late = engine.jobs().await(CALLER, id, Duration.ofSeconds(20)).orElseThrow();

    assertThat(early.status().isFinal()).isFalse();
    assertThat(late.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(engine.jobs().await(CALLER, new JobId(UUID.randomUUID()), Duration.ofHours(1)))
        .isEmpty();
  }

  private static String fail(JobContext job, String input) {
    throw new IllegalStateException("no luck");
  }

  private static String giveUp(JobContext job, String input) {
    throw new PermanentFailure("never");
  }

  private static void hold() {
    try {
      new CountDownLatch(1).await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static List<String> numbers(int beyond) {
    return IntStream.range(0, beyond).mapToObj(Integer::toString).toList();
  }

  private static WorkerId worker(JobId id) {
    return new WorkerId(
        UUID.fromString(
            ask("SELECT worker_id FROM leasehold.lease WHERE id = '%s'".formatted(id))));
  }

  private static HeldLease lease(JobId id) {
    return new HeldLease(
        id, Long.parseLong(ask("SELECT token FROM leasehold.lease WHERE id = '%s'".formatted(id))));
  }

  // As if its worker slept: the lease has expired, and is no longer renewed.
  private static void robOfItsLease(JobId id) {
    ask(
        """
        UPDATE leasehold.lease SET worker_id = gen_random_uuid(), locked_until = now() - interval '1 s'
        WHERE id = '%s'
        """
            .formatted(id));
  }

  private static List<String> kinds(JobId id) {
    return history(id).stream().map(JobEvent::kind).toList();
  }

  private static List<JobEvent> history(JobId id) {
    var events = new ArrayList<JobEvent>();
    var page = page(id, EventCursor.BEGIN);
    while (!page.events().isEmpty()) {
      events.addAll(page.events());
      page = page(id, page.next());
    }
    return events;
  }

  private static EventPage page(JobId id, EventCursor after) {
    return engine.jobs().events(CALLER, id, after, 1_000).orElseThrow();
  }

  private static JobId done(JobType<String, String> type, JobHandler<String, String> work) {
    var id = submit(type, work);
    awaitEnd(id);
    return id;
  }

  private static JobId submit(JobType<String, String> type, JobHandler<String, String> work) {
    return engine.jobs().submit(CALLER, type.request(works.of(work))).jobId();
  }

  private static void awaitEnd(JobId id) {
    assertThat(engine.jobs().await(CALLER, id, Duration.ofSeconds(30)).orElseThrow().status())
        .matches(JobStatus::isFinal);
  }

  private static String ask(String sql) {
    return Works.ask(database, sql);
  }
}
