package io.leasehold.engine;

import static io.leasehold.engine.Works.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.Explanation.Reason;
import io.leasehold.jobs.history.JobDependency;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DependenciesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final EngineConfig CONFIG =
      EngineConfig.defaults().concurrency(20).cancelGrace(Duration.ofMillis(50));

  private static final JobType<String, String> WORK = Handlers.type("work");
  private static final JobType<String, String> FAILING = Handlers.type("failing");
  private static final JobType<String, String> ATOMIC = Handlers.type("atomic");
  private static final JobType<String, String> HASTY =
      Handlers.type("hasty").timeout(Duration.ofMillis(50));
  private static final JobType<String, String> UNHANDLED = Handlers.type("unhandled");

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private volatile boolean fails = true;
  private RunningEngine engine;
  private JobService jobs;

  @BeforeEach
  void start() {
    engine =
        RunningEngine.on(
            database,
            CONFIG,
            new Handlers()
                .with(WORK, (job, input) -> work(input))
                .with(HASTY, (job, input) -> work(input))
                .inTransaction(ATOMIC, (tx, job, input) -> work(input))
                .with(
                    FAILING,
                    (job, input) -> {
                      work(input);
                      if (fails) {
                        throw new IllegalStateException("no compiler");
                      }
                      return input;
                    }));
    jobs = engine.jobs();
  }

  private String work(String input) throws InterruptedException {
    var gate = gates.get(input);
    if (gate != null) {
      gate.await();
    }
    ran.add(input);
    return input;
  }

  @AfterEach
  void stop() {
    gates.values().forEach(CountDownLatch::countDown);
    engine.close();
    assertThat(
            ask(
                database,
                "SELECT count(*) FROM leasehold.dependency_note WHERE due_at < now() - '1"
                    + " min'::interval"))
        .isEqualTo("0");
  }

  /** A job that does not end before its gate is opened. */
  private JobId gated(JobType<String, String> type, String input) {
    gates.put(input, new CountDownLatch(1));
    return submit(type.request(input));
  }

  private void open(String input) {
    gates.computeIfAbsent(input, _ -> new CountDownLatch(1)).countDown();
  }

  private JobId submit(JobRequest<?, ?> request) {
    return jobs.submit(caller, request).jobId();
  }

  private Job end(JobId id) {
    var job = jobs.await(caller, id, SOON).orElseThrow();
    assertThat(job.status().isFinal()).as(job.toString()).isTrue();
    return job;
  }

  private String error(JobId id) {
    return end(id).lastError().orElseThrow();
  }

  private JobStatus status(JobId id) {
    return jobs.find(caller, id).orElseThrow().status();
  }

  @Test
  void runsWhenAllHaveSucceeded() {
    var one = gated(WORK, "one");
    var other = gated(WORK, "other");
    var last = submit(WORK.request("last").after(one, other));

    open("one");
    end(one);
    assertThat(status(last)).isEqualTo(JobStatus.QUEUED);
    open("other");

    assertThat(end(last).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(ran).containsExactly("one", "other", "last");
  }

  @Test
  void startsAtOnceIfAllHaveSucceededBefore() {
    var one = submit(WORK.request("one"));
    end(one);

    var last = submit(WORK.request("last").after(one));

    assertThat(end(last).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void isReleasedByATransactionalHandler() {
    var one = gated(ATOMIC, "one");
    var last = submit(WORK.request("last").after(one));

    open("one");

    assertThat(end(last).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void failsWhenOneFails() {
    var build = gated(FAILING, "build");
    var run = submit(WORK.request("run").after(build));

    open("build");

    assertThat(error(run))
        .isEqualTo(
            "job %s (%s) failed: java.lang.IllegalStateException: no compiler"
                .formatted(build, FAILING.handler()));
    assertThat(end(run).status()).isEqualTo(JobStatus.FAILED);
    assertThat(end(run).attempts()).isZero();
    assertThat(kinds(run)).containsExactly("queued", "failed");
    assertThat(ran).containsExactly("build");
  }

  private List<String> kinds(JobId id) {
    return jobs.events(caller, id, EventCursor.BEGIN, 100).orElseThrow().events().stream()
        .map(JobEvent::kind)
        .toList();
  }

  @Test
  void failsAtOnceIfOneHasFailedBefore() {
    var build = submit(FAILING.request("build"));
    end(build);

    var run = submit(WORK.request("run").after(build));

    assertThat(status(run)).isEqualTo(JobStatus.FAILED);
    assertThat(error(run)).startsWith("job %s (".formatted(build));
    assertThat(kinds(run)).containsExactly("queued", "failed");
  }

  @Test
  void errorNamesTheJobThatFailedFirst() {
    var build = gated(FAILING, "build");
    var run = submit(WORK.request("run").after(build));
    var report = submit(WORK.request("report").after(run));
    open("build");

    assertThat(error(report)).isEqualTo(error(run)).startsWith("job %s (".formatted(build));
    assertThat(error(submit(WORK.request("late").after(report)))).isEqualTo(error(run));
  }

  @Test
  void failsWhenOneTimesOut() {
    var slow = gated(HASTY, "slow");
    var last = submit(WORK.request("last").after(slow));

    assertThat(error(slow)).isEqualTo("timed out after 50 ms");
    assertThat(error(last))
        .isEqualTo("job %s (%s) timed out after 50 ms".formatted(slow, HASTY.handler()));
  }

  @Test
  void failsWhenAWaitingOneIsCancelled() {
    var waiting = submit(UNHANDLED.request("waiting"));
    var last = submit(WORK.request("last").after(waiting));

    jobs.cancel(caller, waiting);

    assertThat(error(last))
        .isEqualTo("job %s (%s) was cancelled".formatted(waiting, UNHANDLED.handler()));
  }

  @Test
  void failsWhenARunningOneIsCancelled() {
    var running = gated(WORK, "running");
    await().until(() -> status(running) == JobStatus.RUNNING);
    var last = submit(WORK.request("last").after(running));

    jobs.cancel(caller, running);

    assertThat(error(last))
        .startsWith("job %s (%s) was cancelled".formatted(running, WORK.handler()));
  }

  @Test
  void failsWhenOneIsRemoved() {
    var waiting = submit(UNHANDLED.request("waiting"));
    var last = submit(WORK.request("last").after(waiting));

    jobs.delete(caller, waiting);

    assertThat(error(last)).isEqualTo("job %s was removed".formatted(waiting));
  }

  @Test
  void failsWhenARunningOneIsRemoved() {
    var running = gated(WORK, "running");
    await().until(() -> status(running) == JobStatus.RUNNING);
    var last = submit(WORK.request("last").after(running));

    jobs.forceDelete(caller, running);

    assertThat(error(last)).startsWith("job %s ".formatted(running));
  }

  @Test
  void continuesWhenASucceededOneIsRemoved() {
    var done = submit(WORK.request("done"));
    end(done);
    var other = gated(WORK, "other");
    var last = submit(WORK.request("last").after(done, other));
    jobs.delete(caller, done);

    open("other");

    assertThat(end(last).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void canBeCancelledWhileItWaits() {
    var one = gated(WORK, "one");
    var middle = submit(WORK.request("middle").after(one));
    var last = submit(WORK.request("last").after(middle));

    assertThat(jobs.cancel(caller, middle)).isEqualTo(new Cancellation.Cancelled());

    assertThat(error(last)).startsWith("job %s (".formatted(middle)).endsWith("was cancelled");
    open("one");
    end(one);
    assertThat(status(middle)).isEqualTo(JobStatus.CANCELLED);
    assertThat(kinds(middle)).containsExactly("queued", "cancelled");
  }

  @Test
  void canBeRemovedWhileItWaits() {
    var one = submit(UNHANDLED.request("one"));
    var middle = submit(WORK.request("middle").after(one));
    var last = submit(WORK.request("last").after(middle));

    assertThat(jobs.forceDelete(caller, middle)).isEqualTo(new Deletion.Deleted());

    assertThat(error(last)).isEqualTo("job %s was removed".formatted(middle));
    assertThat(jobs.find(caller, middle)).isEmpty();
    assertThat(
            ask(
                database,
                "SELECT count(*) FROM leasehold.dependency WHERE id = '%s'".formatted(middle)))
        .isEqualTo("0");
  }

  @Test
  void explanationSaysThatItWaits() {
    var one = submit(UNHANDLED.request("one"));
    var last = submit(WORK.request("last").after(one));

    assertThat(status(last)).isEqualTo(JobStatus.QUEUED);
    assertThat(jobs.explain(caller, last).orElseThrow().reason()).isEqualTo(Reason.WAITS_FOR_JOBS);
    assertThat(jobs.list(caller, JobFilter.newest().status(JobStatus.QUEUED)).jobs())
        .extracting(Job::id)
        .contains(one, last);
    assertThat(jobs.retry(caller, last)).isEqualTo(new RetryOutcome.NotNeeded(JobStatus.QUEUED));
  }

  @Test
  void listsTheJobsThatItWaitsFor() {
    var done = submit(WORK.request("done"));
    end(done);
    var one = submit(UNHANDLED.request("one"));
    var last = submit(WORK.request("last").after(one, done, one));
    var page = jobs.dependencies(caller, last, Optional.empty(), 1).orElseThrow();
    var next = jobs.dependencies(caller, last, page.next(), 1).orElseThrow();

    assertThat(page.jobs())
        .containsExactly(
            new JobDependency(done, Optional.of(WORK.handler()), Optional.of(JobStatus.SUCCEEDED)));
    assertThat(next.jobs())
        .containsExactly(
            new JobDependency(
                one, Optional.of(UNHANDLED.handler()), Optional.of(JobStatus.QUEUED)));
    assertThat(next.next()).isEmpty();
    jobs.delete(caller, done);
    assertThat(jobs.dependencies(caller, last, Optional.empty(), 1).orElseThrow().jobs())
        .containsExactly(new JobDependency(done, Optional.empty(), Optional.empty()));
    assertThat(jobs.dependencies(caller, one, Optional.empty(), 1).orElseThrow().jobs()).isEmpty();
    var stranger = SecurityContext.of("eve", new TenantId(UUID.randomUUID())).build();
    assertThat(jobs.dependencies(stranger, last, Optional.empty(), 1)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.dependencies(caller, last, Optional.empty(), 0));
  }

  @Test
  void countsItsDelayFromTheSubmission() {
    var one = gated(WORK, "one");
    var last = submit(WORK.request("last").after(one).delay(Duration.ofHours(1)));
    var due = jobs.find(caller, last).orElseThrow().availableAt();

    open("one");

    await()
        .atMost(SOON)
        .until(() -> jobs.explain(caller, last).orElseThrow().reason() == Reason.NOT_DUE);
    assertThat(jobs.find(caller, last).orElseThrow().availableAt()).isEqualTo(due);
  }

  @Test
  void dependenciesAreCheckedAgainAtARetry() {
    var build = submit(FAILING.request("build"));
    var run = submit(WORK.request("run").after(build));
    end(run);

    assertThat(jobs.retry(caller, run)).isEqualTo(new RetryOutcome.Queued());
    assertThat(end(run).status()).isEqualTo(JobStatus.FAILED);
    assertThat(ran).doesNotContain("run");
    fails = false;
    jobs.retry(caller, build);
    end(build);
    jobs.retry(caller, run);

    assertThat(end(run).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(kinds(run)).containsSequence("queued", "failed", "queued", "failed", "queued");
  }

  @Test
  void retryFailsIfADependencyWasRemoved() {
    var build = submit(WORK.request("build"));
    var run = submit(FAILING.request("run").after(build));
    end(run);
    jobs.delete(caller, build);

    jobs.retry(caller, run);

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(error(run)).isEqualTo("job %s was removed".formatted(build)));
  }

  /** The call itself judges the job, because no engine runs. */
  @Test
  void dependenciesAreCheckedAgainWhenAllDeadLettersAreRetried() {
    var build = submit(FAILING.request("build"));
    var run = submit(WORK.request("run").after(build));
    end(run);
    engine.stop(Duration.ofSeconds(5));

    var letters = JobFilter.newest().handler(WORK.handler());
    assertThat(engine.deadLetters().retryAll(caller, letters)).isEqualTo(1);

    assertThat(kinds(run)).containsExactly("queued", "failed", "queued", "failed");
  }

  @Test
  void waitsForAJobThatIsRetried() {
    var build = submit(FAILING.request("build"));
    end(build);
    var run = submit(WORK.request("run").after(build));
    gates.put("build", new CountDownLatch(1));
    fails = false;
    jobs.retry(caller, build);

    jobs.retry(caller, run);

    await()
        .atMost(SOON)
        .until(() -> jobs.explain(caller, run).orElseThrow().reason() == Reason.WAITS_FOR_JOBS);
    open("build");
    assertThat(end(run).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void isRefusedIfOneIsUnknownOrAnotherTenants() {
    var stranger = SecurityContext.of("eve", new TenantId(UUID.randomUUID())).build();
    var foreign = jobs.submit(stranger, UNHANDLED.request("foreign")).jobId();
    var before = count("job");

    for (var id : List.of(foreign, new JobId(UUID.randomUUID()))) {
      assertThatExceptionOfType(JobsException.class)
          .isThrownBy(() -> submit(WORK.request("last").after(id).key("key")))
          .withMessage("one of the jobs to wait for is not there")
          .extracting(JobsException::code)
          .isEqualTo(ErrorCode.DEPENDENCY_UNKNOWN);
    }
    assertThat(count("job")).isEqualTo(before);
    assertThat(end(submit(WORK.request("free").key("key"))).status())
        .isEqualTo(JobStatus.SUCCEEDED);
  }

  private static String count(String table) {
    return ask(database, "SELECT count(*) FROM leasehold.%s".formatted(table));
  }

  @Test
  void isRefusedForInMemoryJobs() {
    var type =
        JobType.inMemory(
            "gts.x.core.jobs.handler.v1~acme.tests.engine.memory.v1", String.class, String.class);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> type.request("x").after(new JobId(UUID.randomUUID())));
    assertThatIllegalArgumentException().isThrownBy(() -> type.request("x").reuse());
  }

  @Test
  void waitsForAJobOfItsOwnTransaction() {
    var last =
        engine
            .transactions()
            .asTenant(
                caller,
                tx -> {
                  var one = jobs.submit(tx, WORK.request("one")).jobId();
                  var other = jobs.submit(tx, WORK.request("other").after(one)).jobId();
                  return jobs.submit(tx, WORK.request("last").after(other)).jobId();
                });

    assertThat(end(last).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(ran).containsExactly("one", "other", "last");
  }

  @Test
  void thousandsOfDependentsFailWithTheirDependency() {
    var build = gated(FAILING, "build");
    var runs =
        jobs
            .submitAll(
                caller,
                IntStream.range(0, 3_500)
                    .mapToObj(i -> WORK.request("run " + i).after(build))
                    .iterator())
            .stream()
            .map(Submission::jobId)
            .toList();

    open("build");

    assertThat(runs).allMatch(id -> end(id).status() == JobStatus.FAILED);
    assertThat(ran).containsExactly("build");
  }

  @Test
  void aLongChainFailsWithItsFirstJob() {
    var build = gated(FAILING, "build");
    var last =
        engine
            .transactions()
            .asTenant(
                caller,
                tx -> {
                  var before = build;
                  for (int i = 0; i < 2_500; i++) {
                    before = jobs.submit(tx, WORK.request("run").after(before)).jobId();
                  }
                  return before;
                });

    open("build");

    assertThat(error(last)).startsWith("job %s (".formatted(build));
  }

  @Test
  void oneWaitsForThousands() {
    var builds = new ArrayList<JobId>();
    jobs.submitAll(
            caller, IntStream.range(0, 3_000).mapToObj(i -> WORK.request("build " + i)).iterator())
        .forEach(submission -> builds.add(submission.jobId()));

    var last = submit(WORK.request("last").after(builds));

    assertThat(end(last).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(ran).hasSize(3_001).last().isEqualTo("last");
  }

  /** It does not see who waits for the job that it ends. */
  @Test
  void anEndWithAnOldSnapshotReleasesItsDependents() throws Exception {
    var one = submit(UNHANDLED.request("one"));
    var repeatable = TransactionOptions.defaults().isolation(Isolation.REPEATABLE_READ);

    var last =
        engine
            .transactions()
            .asTenant(
                caller,
                repeatable,
                tx -> {
                  jobs.find(caller, one);
                  var late = submitMeanwhile(WORK.request("last").after(one));
                  // Else the note of the submission would do for that of the end.
                  await().atMost(SOON).until(() -> count("dependency_note").equals("0"));
                  jobs.cancel(tx, one);
                  return late;
                });

    assertThat(error(last)).endsWith("was cancelled");
  }

  private JobId submitMeanwhile(JobRequest<?, ?> request) throws Exception {
    try (var thread = Executors.newSingleThreadExecutor()) {
      return thread.submit(() -> submit(request)).get();
    }
  }

  /** A tenant's open transaction ended one that it waits for; the engine ends the other. */
  @Test
  void anOpenTransactionDelaysNoOtherJob() throws Exception {
    var one = submit(UNHANDLED.request("one"));
    var other = gated(FAILING, "other");
    fails = false;
    var last = submit(WORK.request("last").after(one, other));
    var opened = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    try (var thread = Executors.newSingleThreadExecutor()) {
      var open =
          thread.submit(
              () ->
                  engine
                      .transactions()
                      .asTenant(
                          caller,
                          tx -> {
                            jobs.cancel(tx, one);
                            opened.countDown();
                            end.await();
                            return tx;
                          }));
      opened.await();

      open("other");

      assertThat(end(other).status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(status(last)).isEqualTo(JobStatus.QUEUED);
      end.countDown();
      open.get();
      assertThat(error(last)).endsWith("was cancelled");
    }
  }
}
