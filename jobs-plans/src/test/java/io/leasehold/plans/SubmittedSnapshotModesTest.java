package io.leasehold.plans;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.Transactions;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
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
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The chosen snapshot mode travels with the job, whichever way it is submitted and run. */
class SubmittedSnapshotModesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final JobType<String, String> LOOSE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.plans.chosen.v1", String.class, String.class)
          .retry(RetryPolicy.exponential(2).first(Duration.ofMillis(10)));
  private static final JobType<String, String> TYPE =
      LOOSE.checkRequest(SnapshotModes.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL));

  @TempDir Path folder;

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private FolderStore store;
  private Injector injector;

  /** Two notes, of which the second fails while the file that the input names is not there. */
  private static final class Notes implements TaskPlan<String, String, Path> {

    @Override
    public List<Task<Path, ?>> tasks(String input) {
      return List.of(
          Task.doing("first", task -> Files.writeString(task.state().resolve("first"), "1")),
          Task.of("second", String.class, task -> second(task.state(), input)));
    }

    private static String second(Path state, String input) throws IOException {
      return Files.readString(input.isEmpty() ? state.resolve("first") : Path.of(input));
    }

    @Override
    public String result(String input, TaskOutputs outputs) {
      return outputs.of("second", String.class);
    }
  }

  @BeforeEach
  void start() {
    store = new FolderStore(folder.resolve("snapshots"));
    var secret = new Secret(TestDatabase.PASSWORD);
    var states = new FolderStates(folder.resolve("states"));
    injector =
        Guice.createInjector(
            new SecureDbModule(
                DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build()),
            new EngineModule(EngineConfig.defaults()),
            new AbstractModule() {
              @Override
              protected void configure() {
                handlerBinder(binder())
                    .handle(TYPE)
                    .with(PlanHandler.of(new Notes(), states, store));
              }
            });
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
  }

  @AfterEach
  void stop() {
    injector.getInstance(JobEngine.class).stop(LONG);
    injector.getInstance(SecureDatabase.class).close();
  }

  private JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  private static JobRequest<String, String> choosing(SnapshotMode mode, String input) {
    return SnapshotModes.choose(TYPE.request(input), mode);
  }

  private Job awaitEnd(JobId id) {
    await().atMost(LONG).until(() -> jobs().find(caller, id).orElseThrow().status().isFinal());
    return jobs().find(caller, id).orElseThrow();
  }

  private List<String> snapshots(JobId id) throws IOException {
    return Ledger.snapshots(store.kept(caller.tenant(), id));
  }

  @Test
  void automaticAndManualRetriesKeepTheMode() throws IOException {
    var missing = folder.resolve("missing");
    var always = jobs().submit(caller, TYPE.request(missing.toString())).jobId();
    var last = jobs().submit(caller, choosing(SnapshotMode.FINAL, missing.toString())).jobId();
    assertThat(awaitEnd(always).attempts()).isEqualTo(2);
    assertThat(awaitEnd(last).attempts()).isEqualTo(2);
    assertThat(snapshots(always)).containsExactly("first");
    assertThat(snapshots(last)).isEmpty();

    Files.writeString(missing, "found");
    assertThat(jobs().retry(caller, last)).isInstanceOf(RetryOutcome.Queued.class);
    await().atMost(LONG).until(() -> awaitEnd(last).status() == JobStatus.SUCCEEDED);

    assertThat(snapshots(last)).containsExactly("second");
  }

  @Test
  void jobsOfABatchHaveAModeEach() throws IOException {
    var batches = injector.getInstance(Batches.class);
    var missing = folder.resolve("missing").toString();
    var always = TYPE.request(missing).key("always");
    var last = choosing(SnapshotMode.FINAL, missing).key("final");

    batches.submit(caller, List.of(always, last).iterator());

    assertThat(snapshotsAfterItsEnd(always)).containsExactly("first");
    assertThat(snapshotsAfterItsEnd(last)).isEmpty();
  }

  private List<String> snapshotsAfterItsEnd(JobRequest<String, String> submitted)
      throws IOException {
    var found = jobs().submit(caller, submitted);
    assertThat(found.repeated()).isTrue();
    assertThat(awaitEnd(found.jobId()).status()).isEqualTo(JobStatus.FAILED);
    return snapshots(found.jobId());
  }

  @Test
  void jobsOfAScheduleHaveTheModeOfItsTemplate() throws IOException {
    var schedules = injector.getInstance(Schedules.class);
    var missing = folder.resolve("missing").toString();
    for (var mode : List.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL)) {
      var template = choosing(mode, missing);
      schedules.put(caller, ScheduleRequest.of(mode.word(), "* * * * * *", template));
    }

    assertThat(snapshots(firstOf("always"))).containsExactly("first");
    assertThat(snapshots(firstOf("final"))).isEmpty();
    schedules.remove(caller, "always");
    schedules.remove(caller, "final");
  }

  private JobId firstOf(String schedule) {
    var filter = JobFilter.newest().correlationId("schedule:" + schedule);
    await().atMost(LONG).until(() -> !jobs().list(caller, filter).jobs().isEmpty());
    var first = jobs().list(caller, filter).jobs().getLast().id();
    assertThat(awaitEnd(first).status()).isEqualTo(JobStatus.FAILED);
    return first;
  }

  @Test
  void submissionOfAModeThatIsNotAllowedIsRefused() {
    var refused = choosing(SnapshotMode.NONE, "");
    var batches = injector.getInstance(Batches.class);
    var schedules = injector.getInstance(Schedules.class);
    var transactions = injector.getInstance(Transactions.class);

    requireRefusal(() -> jobs().submit(caller, refused));
    requireRefusal(() -> jobs().submitAll(caller, List.of(TYPE.request(""), refused).iterator()));
    requireRefusal(() -> transactions.asTenant(caller, tx -> jobs().submit(tx, refused)));
    requireRefusal(() -> batches.submit(caller, List.of(TYPE.request(""), refused).iterator()));
    requireRefusal(
        () -> schedules.put(caller, ScheduleRequest.of("nightly", "0 3 * * *", refused)));

    assertThat(jobs().list(caller, JobFilter.newest()).jobs()).isEmpty();
    assertThat(schedules.find(caller, "nightly")).isEmpty();
  }

  private static void requireRefusal(Runnable submission) {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(submission::run)
        .withMessage("snapshot mode must be one of [always, final], not none")
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.INPUT_REFUSED);
  }

  /** The submitter has a version of the type that allows more. */
  @Test
  void storedJobWithAModeThatIsNotAllowedFailsAtItsFirstAttempt() throws IOException {
    var request = SnapshotModes.choose(LOOSE.request(""), SnapshotMode.NONE);

    var job = awaitEnd(jobs().submit(caller, request).jobId());

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError().orElseThrow())
        .contains("snapshot mode must be one of [always, final], not none");
    assertThat(snapshots(job.id())).isEmpty();
  }
}
