package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.DependencyPage;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What callers may rely on whichever kind a job is. What an attempt may write is in {@link
 * JournalContractTest}; where the kinds differ is in {@link #theKindsDiffer}.
 */
class JobServiceContractTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final int EVENTS_MOST = 20;
  private static final EngineConfig CONFIG =
      EngineConfig.defaults().cancelGrace(Duration.ofMillis(100)).eventsMost(EVENTS_MOST);

  private static final RetryPolicy AT_ONCE = RetryPolicy.exponential(3).first(Duration.ofMillis(1));
  private static final JobType<String, String> STORED =
      Handlers.type("contract_of_jobs").retry(AT_ONCE);
  private static final JobType<String, String> IN_MEMORY =
      inMemory("contract_of_jobs").retry(AT_ONCE);

  @SuppressWarnings("ImmutableEnumChecker") // JobType is immutable, but the API has no annotations
  enum Kind {
    STORED,
    IN_MEMORY;

    private JobType<String, String> type() {
      return this == STORED ? JobServiceContractTest.STORED : JobServiceContractTest.IN_MEMORY;
    }

    /** A type of the same kind whose handler only {@link #oneAtATime} has. */
    private JobType<String, String> ordered() {
      return this == STORED ? Handlers.type("contract_of_order") : inMemory("contract_of_order");
    }
  }

  private static JobType<String, String> inMemory(String name) {
    return JobType.inMemory(
            "gts.x.core.jobs.handler.v1~acme.tests.memory.%s.v1".formatted(name),
            String.class,
            String.class)
        .queue(name);
  }

  /** What the handler does, by its input. */
  private static final Map<String, Work> works = new ConcurrentHashMap<>();

  private static RunningEngine engine;

  private interface Work {
    @Nullable String run(JobContext job) throws Exception;
  }

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).correlationId("request 7").build();
  private final CountDownLatch gate = new CountDownLatch(1);

  @BeforeAll
  static void start() {
    var handlers = new Handlers();
    for (var kind : Kind.values()) {
      handlers.with(kind.type(), JobServiceContractTest::work);
    }
    engine = RunningEngine.on(database, CONFIG, handlers);
  }

  @SuppressWarnings("NullAway") // A handler may return null, and be given null.
  private static String work(JobContext job, String input) throws Exception {
    return input == null ? "was given null" : works.get(input).run(job);
  }

  @AfterEach
  void open() {
    gate.countDown();
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  private static JobService jobs() {
    return engine.jobs();
  }

  private static JobRequest<String, String> request(Kind kind, Work work) {
    var input = UUID.randomUUID().toString();
    works.put(input, work);
    return kind.type().request(input);
  }

  private JobId submit(JobRequest<String, String> request) {
    return jobs().submit(caller, request).jobId();
  }

  private JobId submit(Kind kind, Work work) {
    return submit(request(kind, work));
  }

  private JobId later(Kind kind) {
    return submit(request(kind, job -> "late").delay(Duration.ofHours(1)));
  }

  private JobId running(Kind kind) {
    return running(submit(kind, this::waitForGate));
  }

  private JobId running(JobId id) {
    await().until(() -> find(id).status() == JobStatus.RUNNING);
    return id;
  }

  private String waitForGate(JobContext job) throws InterruptedException {
    gate.await();
    return "went on";
  }

  private Job find(JobId id) {
    return jobs().find(caller, id).orElseThrow();
  }

  private Job ended(JobId id) {
    var job = jobs().await(caller, id, LONG).orElseThrow();
    assertThat(job.status().isFinal()).isTrue();
    return job;
  }

  private Job ended(Kind kind, Work work) {
    return ended(submit(kind, work));
  }

  private JobResult<String> result(JobId id) {
    return jobs().result(caller, id, String.class);
  }

  private List<JobEvent> history(JobId id) {
    return jobs().events(caller, id, EventCursor.BEGIN, 1_000).orElseThrow().events();
  }

  private JobEvent event(JobId id, String kind) {
    return history(id).stream()
        .filter(event -> event.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static void assertFails(ErrorCode code, Callable<?> call) {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(call::call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @EnumSource
  void aJobSucceedsWithWhatItsHandlerReturns(Kind kind) {
    var request = request(kind, job -> "attempt " + job.attempt()).priority(7).maxAttempts(2);
    var job = ended(submit(request));

    assertThat(job.tenant()).isEqualTo(caller.tenant());
    assertThat(job.handler()).isEqualTo(kind.type().handler());
    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.correlationId()).contains("request 7");
    assertThat(job.queue()).isEqualTo(kind.type().queue());
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.maxAttempts()).isEqualTo(2);
    assertThat(job.progress()).isEmpty();
    assertThat(job.availableAt()).isEmpty();
    assertThat(job.lastError()).isEmpty();
    assertThat(
            List.of(job.createdAt(), job.startedAt().orElseThrow(), job.finishedAt().orElseThrow()))
        .isSorted();
    assertThat(result(job.id())).isEqualTo(new JobResult.Succeeded<>("attempt 1"));
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("NullAway") // Annotations do not stop a caller.
  void nullIsAnInputAndAResult(Kind kind) {
    var given = submit(kind.type().request(null));
    var returned = submit(kind, job -> null);

    assertThat(ended(given).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(result(given)).isEqualTo(new JobResult.Succeeded<>("was given null"));
    assertThat(ended(returned).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(result(returned)).isEqualTo(new JobResult.Succeeded<>(null));
  }

  @ParameterizedTest
  @EnumSource
  void theResultOfAnUnfinishedJobIsItsStatus(Kind kind) {
    assertThat(result(later(kind))).isEqualTo(new JobResult.NotOver<>(JobStatus.QUEUED));
    assertThat(result(running(kind))).isEqualTo(new JobResult.NotOver<>(JobStatus.RUNNING));
  }

  @ParameterizedTest
  @EnumSource
  void aWaitEndsWithTheJobAsItIsThen(Kind kind) {
    var id = running(kind);

    assertThat(jobs().await(caller, id, Duration.ofMillis(50)).orElseThrow().status())
        .isEqualTo(JobStatus.RUNNING);
    Thread.currentThread().interrupt();
    assertFails(ErrorCode.INTERRUPTED, () -> jobs().await(caller, id, LONG));
    assertThat(Thread.interrupted()).isTrue();
    gate.countDown();
    assertThat(ended(id).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @ParameterizedTest
  @EnumSource
  void aJobIsAttemptedUntilItFailsForGood(Kind kind) {
    var tokens = new CopyOnWriteArrayList<Long>();
    var job =
        ended(
            kind,
            attempt -> {
              tokens.add(attempt.fenceToken());
              throw new IllegalStateException("no luck");
            });

    var error = "java.lang.IllegalStateException: no luck";
    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(3);
    assertThat(job.lastError()).contains(error);
    assertThat(result(job.id()))
        .isEqualTo(new JobResult.Ended<>(JobStatus.FAILED, Optional.of(error)));
    assertThat(tokens).hasSize(3).isSorted().doesNotHaveDuplicates();
    assertThat(event(job.id(), "retry_scheduled").body())
        .containsPattern(
            "\"error\" ?: ?\"%s\", ?\"status\" ?: ?\"failed\", ?\"retry_at\" ?: ?\"20..-.*Z\""
                .formatted(error));
    assertThat(event(job.id(), "failed").body()).contains(error);
  }

  @ParameterizedTest
  @EnumSource
  void aLaterAttemptMaySucceed(Kind kind) {
    var job =
        ended(
            kind,
            attempt -> {
              if (attempt.attempt() == 1) {
                throw new IllegalStateException("not yet");
              }
              return "in attempt " + attempt.attempt();
            });

    assertThat(job.attempts()).isEqualTo(2);
    assertThat(result(job.id())).isEqualTo(new JobResult.Succeeded<>("in attempt 2"));
  }

  @ParameterizedTest
  @EnumSource
  void aPermanentFailureIsTheLast(Kind kind) {
    var job =
        ended(
            kind,
            attempt -> {
              throw new PermanentFailure("never");
            });

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void anAttemptThatAsksForLaterIsNotCounted(Kind kind) {
    var asked = new CopyOnWriteArrayList<Integer>();
    var job =
        ended(
            kind,
            attempt -> {
              asked.add(attempt.attempt());
              attempt.event("log", "so that the attempt is in the history");
              if (asked.size() == 1) {
                throw new RetryLater(Duration.ofMillis(1));
              }
              return "then";
            });

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(asked).containsExactly(1, 1);
    assertThat(event(job.id(), "put_off").body())
        .matches("\\{\"retry_at\" ?: ?\"20..-[^\"]*Z\"\\}");
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerThatTakesTooLongIsInterrupted(Kind kind) {
    var request = request(kind, this::waitForGate).timeout(Duration.ofMillis(50)).maxAttempts(1);

    var job = ended(submit(request));

    assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(job.lastError()).contains("timed out after 50 ms");
  }

  @ParameterizedTest
  @EnumSource
  void aJobThatIsCancelledBeforeItsStartNeverRuns(Kind kind) {
    var id = later(kind);

    assertThat(jobs().cancel(caller, id)).isEqualTo(new Cancellation.Cancelled());

    var job = find(id);
    assertThat(job.status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(job.startedAt()).isEmpty();
    assertThat(job.attempts()).isZero();
    assertThat(result(id)).isEqualTo(new JobResult.Ended<>(JobStatus.CANCELLED, Optional.empty()));
    assertThat(history(id)).extracting(JobEvent::kind).containsExactly("queued", "cancelled");
  }

  @ParameterizedTest
  @EnumSource
  void aRunningJobEndsAfterItWasCancelled(Kind kind) {
    var id =
        running(
            submit(
                kind,
                job -> {
                  while (true) {
                    job.throwIfCancelled();
                    Thread.onSpinWait();
                  }
                }));

    assertThat(jobs().cancel(caller, id)).isEqualTo(new Cancellation.Requested());

    assertThat(ended(id).status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(jobs().cancel(caller, id)).isEqualTo(new Cancellation.TooLate(JobStatus.CANCELLED));
    assertThat(history(id)).extracting(JobEvent::kind).contains("cancel_requested");
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerThatIgnoresItsCancelIsInterrupted(Kind kind) {
    var id = running(kind);

    jobs().cancel(caller, id);

    assertThat(ended(id).status()).isEqualTo(JobStatus.CANCELLED);
  }

  @ParameterizedTest
  @EnumSource
  void aHistoryContinuesWhereItsReaderStopped(Kind kind) {
    var id =
        submit(
            kind,
            job -> {
              job.progress(10 * job.attempt(), "attempt " + job.attempt());
              job.event("log", job.attempt());
              if (job.attempt() == 1) {
                throw new IllegalStateException("once more");
              }
              return "done";
            });
    ended(id);

    var read = new ArrayList<JobEvent>();
    var from = EventCursor.BEGIN;
    boolean isOver;
    do {
      var page = jobs().events(caller, id, from, 2).orElseThrow();
      assertThat(page.events()).hasSizeLessThanOrEqualTo(2);
      read.addAll(page.events());
      from = page.next();
      isOver = page.isOver();
    } while (!isOver);

    assertThat(read)
        .extracting(JobEvent::kind)
        .containsExactly(
            "queued",
            "started",
            "progress",
            "log",
            "retry_scheduled",
            "started",
            "progress",
            "log",
            "succeeded");
    assertThat(read).extracting(JobEvent::cursor).isSorted().doesNotHaveDuplicates();
    assertThat(read).extracting(JobEvent::attempt).containsExactly(0, 1, 1, 1, 1, 2, 2, 2, 2);
    assertThat(find(id).progress()).contains(new Job.Progress(20, Optional.of("attempt 2")));
  }

  @ParameterizedTest
  @EnumSource
  void eventsBeyondTheBoundAreDroppedExceptThoseOfTasks(Kind kind) {
    var id =
        submit(
            kind,
            job -> {
              IntStream.range(0, EVENTS_MOST + 5).forEach(i -> job.event("log", i));
              var task = Map.of("task_id", "last", "position", 1, "of", 1, "status", "succeeded");
              job.event(JobTask.EVENT, task);
              return "done";
            });
    ended(id);

    assertThat(history(id))
        .extracting(JobEvent::kind)
        .containsExactlyElementsOf(
            IntStream.range(0, EVENTS_MOST + 5)
                .mapToObj(
                    i ->
                        switch (i) {
                          case 0 -> "queued";
                          case 1 -> "started";
                          case EVENTS_MOST + 2 -> "events_dropped";
                          case EVENTS_MOST + 3 -> JobTask.EVENT;
                          case EVENTS_MOST + 4 -> "succeeded";
                          default -> "log";
                        })
                .toList());
    assertThat(jobs().tasks(caller, id).orElseThrow())
        .extracting(JobTask::id)
        .containsExactly("last");
  }

  @ParameterizedTest
  @EnumSource
  void aPageHasOneToAThousandElements(Kind kind) {
    var id = later(kind);

    for (var limit : List.of(0, 1_001)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jobs().events(caller, id, EventCursor.BEGIN, limit))
          .withMessage("limit must be 1 to 1000, not " + limit);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jobs().dependencies(caller, id, Optional.empty(), limit))
          .withMessage("limit must be 1 to 1000, not " + limit);
    }
    assertThat(jobs().dependencies(caller, id, Optional.empty(), 1_000))
        .contains(new DependencyPage(List.of(), Optional.empty()));
  }

  @ParameterizedTest
  @EnumSource
  void jobsAreListedNewestFirstInPages(Kind kind) {
    var ids = new ArrayList<JobId>();
    for (int i = 0; i < 5; i++) {
      ids.addFirst(later(kind));
    }

    var listed = new ArrayList<JobId>();
    Optional<JobFilter> next = Optional.of(JobFilter.newest().limit(2));
    while (next.isPresent()) {
      var filter = next.get();
      var page = jobs().list(caller, filter);
      page.jobs().forEach(job -> listed.add(job.id()));
      next = page.next().map(filter::after);
    }

    assertThat(listed).containsExactlyElementsOf(ids);
  }

  @ParameterizedTest
  @EnumSource
  void listsAreFiltered(Kind kind) {
    var before = Instant.now().minusSeconds(3_600);
    var after = Instant.now().plusSeconds(3_600);
    var ended = ended(kind, job -> "done").id();
    var waits = later(kind);
    var all = JobFilter.newest();

    assertThat(ids(all.handler(kind.type().handler()))).containsExactly(waits, ended);
    assertThat(ids(all.queue(kind.type().queue()))).containsExactly(waits, ended);
    assertThat(ids(all.correlationId("request 7"))).containsExactly(waits, ended);
    assertThat(ids(all.createdAfter(before).createdBefore(after))).containsExactly(waits, ended);
    assertThat(ids(all.status(JobStatus.SUCCEEDED))).containsExactly(ended);
    assertThat(ids(all.status(JobStatus.QUEUED))).containsExactly(waits);
    assertThat(ids(all.handler(kind.ordered().handler()))).isEmpty();
    assertThat(ids(all.queue("other"))).isEmpty();
    assertThat(ids(all.correlationId("request 8"))).isEmpty();
    assertThat(ids(all.createdBefore(before))).isEmpty();
    assertThat(ids(all.createdAfter(after))).isEmpty();
  }

  private List<JobId> ids(JobFilter filter) {
    return jobs().list(caller, filter).jobs().stream().map(Job::id).toList();
  }

  @ParameterizedTest
  @EnumSource
  void aJobIsDeletedUnlessItRuns(Kind kind) {
    var running = running(kind);
    assertThat(jobs().delete(caller, running)).isEqualTo(new Deletion.Running());
    gate.countDown();
    ended(running);

    for (var id : List.of(running, later(kind))) {
      assertThat(jobs().delete(caller, id)).isEqualTo(new Deletion.Deleted());
      assertNotFound(caller, id);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRunningJobIsDeletedByForceOnceItHasEnded(Kind kind) {
    var id = running(kind);

    assertThat(jobs().forceDelete(caller, id)).isEqualTo(new Deletion.Requested());

    await().atMost(LONG).until(() -> jobs().find(caller, id).isEmpty());
    assertThat(jobs().forceDelete(caller, later(kind))).isEqualTo(new Deletion.Deleted());
  }

  @ParameterizedTest
  @EnumSource
  void anotherTenantSeesAndChangesNothing(Kind kind) {
    var other = SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
    var jobsOfCaller = List.of(later(kind), running(kind), ended(kind, job -> "done").id());
    var before = jobsOfCaller.stream().map(this::find).map(Job::status).toList();

    jobsOfCaller.forEach(id -> assertNotFound(other, id));

    assertThat(jobs().list(other, JobFilter.newest()).jobs()).isEmpty();
    assertThat(jobsOfCaller.stream().map(this::find).map(Job::status).toList()).isEqualTo(before);
  }

  private static void assertNotFound(SecurityContext asking, JobId id) {
    assertThat(jobs().find(asking, id)).isEmpty();
    assertThat(jobs().await(asking, id, LONG)).isEmpty();
    assertThat(jobs().explain(asking, id)).isEmpty();
    assertThat(jobs().events(asking, id, EventCursor.BEGIN, 10)).isEmpty();
    assertThat(jobs().tasks(asking, id)).isEmpty();
    assertThat(jobs().dependencies(asking, id, Optional.empty(), 10)).isEmpty();
    assertThat(jobs().metadata(asking, id, "color", String.class)).isEmpty();
    assertThat(jobs().result(asking, id, String.class)).isEqualTo(new JobResult.NotFound<>());
    assertThat(jobs().cancel(asking, id)).isEqualTo(new Cancellation.NotFound());
    assertThat(jobs().retry(asking, id)).isEqualTo(new RetryOutcome.NotFound());
    assertThat(jobs().delete(asking, id)).isEqualTo(new Deletion.NotFound());
    assertThat(jobs().forceDelete(asking, id)).isEqualTo(new Deletion.NotFound());
  }

  @ParameterizedTest
  @EnumSource
  void aKeyStandsForOneJobOfItsTenantUntilThatIsDeleted(Kind kind) {
    var other = SecurityContext.of("bob", new TenantId(UUID.randomUUID())).build();
    var request = request(kind, job -> "done").key("october");

    var first = jobs().submit(caller, request);

    assertThat(first.repeated()).isFalse();
    assertThat(jobs().submit(caller, request)).isEqualTo(new Submission(first.jobId(), true));
    assertThat(jobs().submit(other, request).repeated()).isFalse();
    ended(first.jobId());
    assertThat(jobs().submit(caller, request)).isEqualTo(new Submission(first.jobId(), true));
    jobs().delete(caller, first.jobId());
    assertThat(jobs().submit(caller, request).repeated()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aJobStartsAtItsTime(Kind kind) {
    var job = ended(submit(request(kind, _ -> "soon").delay(Duration.ofMillis(300))));

    assertThat(Duration.between(job.createdAt(), job.startedAt().orElseThrow()))
        .isGreaterThanOrEqualTo(Duration.ofMillis(299));
  }

  @ParameterizedTest
  @EnumSource
  void aRetryStartsAJobAgainOrAtOnce(Kind kind) {
    var failed =
        ended(
                kind,
                job -> {
                  throw new PermanentFailure("never");
                })
            .id();
    var cancelled = later(kind);
    jobs().cancel(caller, cancelled);
    var late = later(kind);
    var started = find(failed).startedAt();

    for (var id : List.of(failed, cancelled, late)) {
      assertThat(jobs().retry(caller, id)).isEqualTo(new RetryOutcome.Queued());
    }

    await()
        .until(
            () ->
                history(failed).stream().filter(event -> event.kind().equals("failed")).count()
                    == 2);
    assertThat(find(failed).attempts()).isEqualTo(1);
    assertThat(find(failed).startedAt()).isEqualTo(started);
    assertThat(ended(cancelled).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(ended(late).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(jobs().retry(caller, late))
        .isEqualTo(new RetryOutcome.NotNeeded(JobStatus.SUCCEEDED));
    assertThat(jobs().retry(caller, running(kind)))
        .isEqualTo(new RetryOutcome.NotNeeded(JobStatus.RUNNING));
  }

  @ParameterizedTest
  @EnumSource
  void anExplanationHasTheReason(Kind kind) {
    assertThat(reason(later(kind))).isEqualTo(Explanation.Reason.NOT_DUE);
    assertThat(reason(running(kind))).isEqualTo(Explanation.Reason.RUNNING);
    assertThat(reason(ended(kind, job -> "done").id())).isEqualTo(Explanation.Reason.OVER);
    var later =
        submit(
            kind,
            job -> {
              throw new RetryLater(Duration.ofHours(1));
            });
    await().until(() -> reason(later) == Explanation.Reason.PUT_OFF);
  }

  private Explanation.Reason reason(JobId id) {
    return jobs().explain(caller, id).orElseThrow().reason();
  }

  @ParameterizedTest
  @EnumSource
  void metadataIsReadByTheHandlerAndTheCaller(Kind kind) {
    var request =
        request(kind, job -> job.metadata("color", String.class).orElse("none"))
            .metadata("color", "blue")
            .metadata("pages", 7);
    var id = submit(request);

    ended(id);

    assertThat(result(id)).isEqualTo(new JobResult.Succeeded<>("blue"));
    assertThat(jobs().metadata(caller, id, "pages", Integer.class)).contains(7);
    assertThat(jobs().metadata(caller, id, "size", Integer.class)).isEmpty();
    assertFails(
        ErrorCode.RESULT_UNREADABLE, () -> jobs().metadata(caller, id, "color", Integer.class));
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedRequestStoresNothing(Kind kind) {
    var checked =
        kind.type()
            .check(
                input -> {
                  throw new IllegalArgumentException("input must be better");
                });

    assertFails(ErrorCode.INPUT_REFUSED, () -> jobs().submit(caller, checked.request("x")));
    assertFails(
        ErrorCode.TOO_LARGE,
        () -> jobs().submit(caller, request(kind, job -> "").metadata("text", "x".repeat(65_536))));
    assertFails(
        ErrorCode.INPUT_REFUSED,
        () ->
            jobs()
                .submitAll(
                    caller,
                    List.of(request(kind, job -> "first"), checked.request("x")).iterator()));
    assertThat(jobs().list(caller, JobFilter.newest()).jobs()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anOutputIsReadAsItsTypeAlone(Kind kind) {
    var id = ended(kind, job -> "text").id();

    assertFails(ErrorCode.RESULT_UNREADABLE, () -> jobs().result(caller, id, Thread.class));
  }

  @ParameterizedTest
  @EnumSource
  void jobsAreSubmittedTogether(Kind kind) {
    var requests =
        IntStream.range(0, 3).mapToObj(i -> request(kind, job -> "number " + i)).toList();

    var submissions = jobs().submitAll(caller, requests.iterator());

    for (int i = 0; i < 3; i++) {
      var id = submissions.get(i).jobId();
      ended(id);
      assertThat(result(id)).isEqualTo(new JobResult.Succeeded<>("number " + i));
    }
    assertThat(jobs().submitAll(caller, List.<JobRequest<String, String>>of().iterator()))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void commandsAreUndoneWithTheirTransaction(Kind kind) {
    var late = later(kind);
    var ids = new ArrayList<JobId>();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                engine
                    .transactions()
                    .asTenant(
                        caller,
                        tx -> {
                          ids.add(jobs().submit(tx, request(kind, job -> "never")).jobId());
                          assertThat(jobs().cancel(tx, late))
                              .isEqualTo(new Cancellation.Cancelled());
                          throw new IllegalStateException("on purpose");
                        }));

    assertThat(jobs().find(caller, ids.getFirst())).isEmpty();
    assertThat(find(late).status()).isEqualTo(JobStatus.QUEUED);
    var kept =
        engine
            .transactions()
            .asTenant(
                caller,
                tx -> {
                  assertThat(jobs().delete(tx, late)).isEqualTo(new Deletion.Deleted());
                  return jobs().submit(tx, request(kind, job -> "kept")).jobId();
                });
    assertThat(ended(kept).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(jobs().find(caller, late)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void priorityAndThenAgeOrderATenantsJobs(Kind kind) {
    var other = SecurityContext.of("bob", new TenantId(UUID.randomUUID())).build();
    var type = kind.ordered();
    var order = new CopyOnWriteArrayList<String>();
    try (var narrow = oneAtATime(type, order)) {
      // Another tenant's, so that the worker has not yet seen any of the jobs to order.
      var first = narrow.jobs().submit(other, type.request("first")).jobId();
      await()
          .until(
              () -> narrow.jobs().find(other, first).orElseThrow().status() == JobStatus.RUNNING);
      var requests =
          List.of(
              type.request("low").priority(-1),
              type.request("older"),
              type.request("newer"),
              type.request("high").priority(1));
      requests.forEach(request -> narrow.jobs().submit(caller, request));
      gate.countDown();
      await().atMost(LONG).until(() -> order.size() == 5);
    }

    assertThat(order).containsExactly("first", "high", "older", "newer", "low");
  }

  private RunningEngine oneAtATime(JobType<String, String> type, List<String> order) {
    return RunningEngine.on(
        database,
        CONFIG.concurrency(1).memoryConcurrency(1),
        new Handlers()
            .with(
                type,
                (job, input) -> {
                  gate.await();
                  order.add(input);
                  return input;
                }));
  }

  /** Everything else that callers can see is the same. The guide on jobs in memory lists this. */
  @Test
  void theKindsDiffer() {
    var stored = request(Kind.STORED, job -> "stored");
    var inMemory = request(Kind.IN_MEMORY, job -> "in memory");
    var done = ended(submit(stored)).id();

    // Only stored jobs wait for other jobs, or are reused.
    assertThat(ended(submit(stored.after(done))).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThatIllegalArgumentException().isThrownBy(() -> inMemory.after(done));
    assertThat(jobs().submit(caller, stored.key("k").reuse()).repeated()).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> inMemory.key("k").reuse());

    // A stored job waits for a process that has its handler.
    var waiting = submit(Kind.STORED.ordered().request("x"));
    assertThat(jobs().delete(caller, waiting)).isEqualTo(new Deletion.Deleted());
    assertFails(ErrorCode.HANDLER_UNKNOWN, () -> submit(Kind.IN_MEMORY.ordered().request("x")));

    // Its own transaction sees a stored job before it commits.
    engine
        .transactions()
        .asTenant(
            caller,
            tx -> {
              assertThat(jobs().find(caller, jobs().submit(tx, stored).jobId())).isPresent();
              assertThat(jobs().find(caller, jobs().submit(tx, inMemory).jobId())).isEmpty();
              return tx.caller();
            });

    // A view of restartable jobs has only stored ones.
    var restartable = jobs().restartable();
    assertThat(restartable.find(caller, done)).isPresent();
    assertThat(restartable.find(caller, submit(inMemory))).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> restartable.submit(caller, inMemory));
  }
}
