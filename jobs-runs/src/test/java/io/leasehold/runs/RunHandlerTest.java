package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.OutputConfig;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.runs.process.MarkedProcesses;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job whose work is a process, from its submission to its end, and over workers that come and go.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RunHandlerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final Map<String, String> kept = new ConcurrentHashMap<>();

  @AfterEach
  void leaveNothing() throws Exception {
    for (var run : runner().all()) {
      runner().remove(run);
    }
  }

  @Test
  void succeedsWithTheRunsResult() {
    try (var worker = worker()) {
      var id = submit(worker, "echo one; echo two; echo 42 >$LEASEHOLD_OUTPUTS/result");

      assertThat(end(worker, id).status()).isEqualTo(JobStatus.SUCCEEDED);

      assertThat(worker.jobs().result(caller, id, String.class).toString()).contains("42");
      assertThat(History.lines(worker.jobs(), caller, id)).containsExactly("one", "two");
      assertThat(kept).containsExactly(Map.entry("result", "42\n"));
    }
  }

  @Test
  void storesTheRunsFilesAsOutputs() {
    var places = OutputConfig.defaults().folder(folder.resolve("outputs"));
    var config = TestWorker.config().outputs(places);
    try (var worker =
        TestWorker.on(database.jdbcUrl(), config, runner(), KeepRunOutput.AS_OUTPUTS)) {
      var id = submit(worker, "cd $LEASEHOLD_OUTPUTS; mkdir sub; echo 1 >a; echo 22 >sub/b.txt");

      assertThat(end(worker, id).status()).isEqualTo(JobStatus.SUCCEEDED);

      assertThat(worker.outputs().list(caller, id).orElseThrow())
          .extracting(JobOutput::name, JobOutput::size)
          .containsExactly(tuple("a", 2L), tuple("sub_b.txt", 3L));
    }
  }

  @Test
  void failsWithTheExitCodeAndKeepsTheFiles() {
    try (var worker = worker()) {
      var id =
          submit(
              worker,
              Scripts.TYPE.request("echo 1 >$LEASEHOLD_OUTPUTS/why; exit 3").maxAttempts(1));

      var job = end(worker, id);

      assertThat(job.status()).isEqualTo(JobStatus.FAILED);
      assertThat(job.lastError().orElseThrow()).endsWith("the run of attempt 1 ended with code 3");
      assertThat(kept).containsOnlyKeys("why");
    }
  }

  @Test
  void aRetryHasItsOwnRun() {
    try (var worker = worker()) {
      var marker = folder.resolve("second");
      var id = submit(worker, "[ -e %1$s ] && exit 0; echo >%1$s; exit 1".formatted(marker));

      var job = end(worker, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(2);
    }
  }

  @Test
  void splitsLongLogLines() {
    try (var worker = worker()) {
      var id = submit(worker, "for i in $(seq 7000); do printf 'ä–x'; done; printf 'end'");

      end(worker, id);

      var pieces = History.lines(worker.jobs(), caller, id);
      assertThat(String.join("", pieces)).isEqualTo("ä–x".repeat(7_000) + "end");
      assertThat(pieces).hasSizeBetween(6, 7);
    }
  }

  @Test
  void stopsTheRunWhenItsJobIsCancelled() throws Exception {
    try (var worker = worker()) {
      var id = submit(worker, "echo begun; while :; do sleep 0.1; done");
      awaitLines(worker, id, "begun");

      worker.jobs().cancel(caller, id);

      assertThat(end(worker, id).status()).isEqualTo(JobStatus.CANCELLED);
      awaitNoProcess(id, 1);
    }
  }

  @Test
  void stopsTheRunWhenItTakesTooLong() throws Exception {
    try (var worker = worker()) {
      var id =
          submit(
              worker,
              Scripts.TYPE
                  .request("echo begun; trap '' TERM; while :; do sleep 0.1; done")
                  .timeout(Duration.ofSeconds(2))
                  .maxAttempts(1));

      assertThat(end(worker, id).status()).isEqualTo(JobStatus.TIMED_OUT);
      awaitNoProcess(id, 1);
    }
  }

  @Test
  void nextWorkerTakesOverTheRunWhenAWorkerStops() throws Exception {
    JobId id;
    try (var first = worker()) {
      id = submit(first, counting("go", 3));
      awaitLines(first, id, "1", "2", "3");
    }

    try (var second = worker()) {
      await()
          .atMost(LONG)
          .until(() -> History.kinds(second.jobs(), caller, id).contains("reclaimed"));
      Files.createFile(folder.resolve("go"));
      var job = end(second, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(History.lines(second.jobs(), caller, id)).containsExactly("1", "2", "3", "go");
      assertThat(History.kinds(second.jobs(), caller, id))
          .containsSubsequence("started", "released", "reclaimed", "succeeded");
    }
  }

  @Test
  void findsARunThatEndedWithoutAWorker() throws Exception {
    JobId id;
    try (var first = worker()) {
      id = submit(first, counting("go", 1) + "; echo over >$LEASEHOLD_OUTPUTS/result");
      awaitLines(first, id, "1");
    }
    Files.createFile(folder.resolve("go"));
    awaitNoProcess(id, 1);

    try (var second = worker()) {
      var job = end(second, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(second.jobs().result(caller, id, String.class).toString()).contains("over");
    }
  }

  @Test
  void retriesIfTheRunIsGone() throws Exception {
    JobId id;
    try (var first = worker()) {
      id = submit(first, counting("go", 1));
      awaitLines(first, id, "1");
    }
    MarkedProcesses.kill(run(id, 1).name());
    Files.createFile(folder.resolve("go"));

    try (var second = worker()) {
      var job = end(second, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(2);
      assertThat(History.kinds(second.jobs(), caller, id))
          .containsSubsequence("reclaimed", "retry_scheduled", "started", "succeeded");
    }
  }

  @Test
  void failsAtTheLastAttemptIfTheRunIsGone() throws Exception {
    JobId id;
    try (var first = worker()) {
      id = submit(first, Scripts.TYPE.request(counting("go", 1)).maxAttempts(1));
      awaitLines(first, id, "1");
    }
    runner().remove(run(id, 1));

    try (var second = worker()) {
      var job = end(second, id);

      assertThat(job.status()).isEqualTo(JobStatus.FAILED);
      assertThat(job.lastError().orElseThrow()).contains("the run of attempt 1 is gone");
    }
  }

  @Test
  void killsLeftoverProcessesOfARunThatIsGone() throws Exception {
    try (var worker = worker()) {
      var id = submit(worker, Scripts.TYPE.request(counting("never", 1)).maxAttempts(1));
      awaitLines(worker, id, "1");

      var process = folder.resolve("runs").resolve(run(id, 1).name()).resolve("process");
      ProcessHandle.of(Long.parseLong(Files.readAllLines(process).getFirst()))
          .orElseThrow()
          .destroyForcibly();

      assertThat(end(worker, id).lastError().orElseThrow()).contains("is gone");
      assertThat(MarkedProcesses.of(run(id, 1).name())).isEmpty();
    }
  }

  /** Its worker was killed between the claim and the start: nothing says that it was started. */
  @Test
  void startsARunThatCannotHaveStarted() throws Exception {
    JobId id;
    try (var client = worker()) {
      client.stop();
      id = submit(client, "echo begun");
      orphan();
    }

    try (var worker = worker()) {
      var job = end(worker, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(History.lines(worker.jobs(), caller, id)).containsExactly("begun");
    }
  }

  private static void orphan() throws SQLException {
    execute(
        """
        WITH removed AS (DELETE FROM leasehold.ready RETURNING *)
        INSERT INTO leasehold.lease (tenant_id, id, token, attempt, locked_until, when_lost,
          attempt_started_at, started_at, first_started_at, first_token)
        SELECT tenant_id, id, nextval('leasehold.lease_token'), 1, now(), 'adopt', now(), now(),
          now(), currval('leasehold.lease_token')
        FROM removed\
        """);
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Its worker was lost between the note and the start, and wakes when others are done with it. */
  @Test
  void startsAPreparedRunAndItsOldWorkerStartsNothing() throws Exception {
    var asleep = new CountDownLatch(1);
    var woken = new CountDownLatch(1);
    var wake = new CompletableFuture<Void>();
    var slow =
        new RunnerLike(runner()) {
          @Override
          public void start(RunId id, RunSpec spec) throws IOException, InterruptedException {
            asleep.countDown();
            wake.join(); // Also when it is interrupted.
            try {
              super.start(id, spec);
            } finally {
              woken.countDown();
            }
          }
        };
    JobId id;
    try (var first = worker(slow)) {
      id = submit(first, "echo begun >>%s; echo over".formatted(folder.resolve("begun")));
      asleep.await();
    }

    try (var second = worker()) {
      var job = end(second, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
      second.runs().sweep();
      wake.complete(null);
      woken.await();
      assertThat(runner().all()).isEmpty();
      assertThat(folder.resolve("begun")).hasContent("begun");
    }
  }

  /** Attempts are counted from zero again, and the run of the failed attempt may still exist. */
  @Test
  void isNotMistakenForTheRunBeforeAManualRetry() throws Exception {
    var marker = folder.resolve("mended");
    JobId id;
    try (var first = worker()) {
      id =
          submit(
              first, Scripts.TYPE.request("echo try; [ -e %s ]".formatted(marker)).maxAttempts(1));
      assertThat(end(first, id).status()).isEqualTo(JobStatus.FAILED);
      first.stop();
      Files.createFile(marker);
      first.jobs().retry(caller, id);
      orphan();
    }

    try (var second = worker()) {
      assertThat(end(second, id).status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(History.lines(second.jobs(), caller, id)).containsExactly("try", "try");
    }
  }

  @Test
  void continuesWhenTheRunnerFailsForAWhile() throws Exception {
    JobId id;
    try (var first = worker()) {
      id = submit(first, counting("go", 1));
      awaitLines(first, id, "1");
    }
    Files.createFile(folder.resolve("go"));

    try (var second = worker(notAtOnce())) {
      var job = end(second, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
    }
  }

  // Each is asked for twice.
  private Runner notAtOnce() {
    return new RunnerLike(runner()) {

      private final Set<String> asked = ConcurrentHashMap.newKeySet();

      private void once(String what) throws IOException {
        if (asked.add(what)) {
          throw new IOException("the engine does not answer");
        }
      }

      @Override
      public Optional<RunState> find(RunId id) throws IOException, InterruptedException {
        once("find");
        return super.find(id);
      }

      @Override
      public Optional<RunState> await(RunId id, Duration most)
          throws IOException, InterruptedException {
        once("await");
        return super.await(id, most);
      }

      @Override
      public Path outputs(RunId id) throws IOException, InterruptedException {
        once("outputs");
        return super.outputs(id);
      }
    };
  }

  @Test
  void stopsTheRunOfAnAttemptThatFails() throws Exception {
    var fails =
        new RunnerLike(runner()) {
          @Override
          public InputStream log(RunId id, long from) {
            throw new IllegalStateException("no log");
          }
        };
    try (var worker = worker(fails)) {
      var id = submit(worker, Scripts.TYPE.request(counting("never", 1)).maxAttempts(1));

      assertThat(end(worker, id).status()).isEqualTo(JobStatus.FAILED);

      assertThat(MarkedProcesses.of(run(id, 1).name())).isEmpty();
    }
  }

  @Test
  void adoptingWorkerCancelsTheRun() throws Exception {
    JobId id;
    try (var first = worker()) {
      id = submit(first, counting("never", 1));
      awaitLines(first, id, "1");
      first.stop();
      first.jobs().cancel(caller, id);
      assertThat(first.jobs().explain(caller, id).orElseThrow().reason())
          .isEqualTo(Explanation.Reason.NO_WORKER);
    }

    try (var second = worker()) {
      assertThat(end(second, id).status()).isEqualTo(JobStatus.CANCELLED);
      awaitNoProcess(id, 1);
    }
  }

  @Test
  void isRemovedWithItsJob() throws Exception {
    try (var worker = worker()) {
      var id = submit(worker, counting("never", 1));
      awaitLines(worker, id, "1");

      worker.jobs().forceDelete(caller, id);
      await().atMost(LONG).until(() -> worker.jobs().find(caller, id).isEmpty());
      worker.runs().sweep();

      awaitNoProcess(id, 1);
      assertThat(runner().all()).isEmpty();
    }
  }

  @Test
  void sweepsAllButTheRunsOfRunningAttempts() throws Exception {
    try (var worker = worker()) {
      var over = submit(worker, "exit 0");
      var running = submit(worker, counting("never", 1));
      end(worker, over);
      awaitLines(worker, running, "1");
      var older = new RunId(caller.tenant(), running, 2);
      runner().prepare(older, RunSpec.of("sleep", "1000"));
      runner().start(older, RunSpec.of("sleep", "1000"));

      var swept = worker.runs().sweep();

      assertThat(swept).containsExactlyInAnyOrder(run(over, 1), older);
      assertThat(runner().all()).containsExactly(run(running, 1));
      assertThat(MarkedProcesses.of(older.name())).isEmpty();
      assertThat(MarkedProcesses.of(run(running, 1).name())).isNotEmpty();
      worker.jobs().cancel(caller, running);
      end(worker, running);
    }
  }

  /** As it is until the next attempt of a job that has failed. */
  @Test
  void sweepsTheRunOfAJobThatWaits() throws Exception {
    try (var worker = worker()) {
      var id = submit(worker, counting("never", 1));
      awaitLines(worker, id, "1");
      worker.stop();
      execute(
          """
          WITH released AS (DELETE FROM leasehold.lease RETURNING *)
          INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at,
            started_at)
          SELECT tenant_id, id, job.queue, job.priority, released.attempt, now() + interval '1 h',
            released.started_at
          FROM released JOIN leasehold.job USING (tenant_id, id)\
          """);

      assertThat(worker.runs().sweep()).containsExactly(run(id, 1));

      assertThat(MarkedProcesses.of(run(id, 1).name())).isEmpty();
    }
  }

  @Test
  void aManualRetryStartsANewRun() throws Exception {
    try (var worker = worker()) {
      var marker = folder.resolve("mended");
      var id =
          submit(
              worker, Scripts.TYPE.request("echo try; [ -e %s ]".formatted(marker)).maxAttempts(1));
      assertThat(end(worker, id).status()).isEqualTo(JobStatus.FAILED);

      Files.createFile(marker);
      worker.jobs().retry(caller, id);

      assertThat(end(worker, id).status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(History.lines(worker.jobs(), caller, id)).containsExactly("try", "try");
    }
  }

  private ProcessRunner runner() {
    return new ProcessRunner(folder.resolve("runs"));
  }

  private TestWorker worker() {
    return worker(runner());
  }

  private TestWorker worker(Runner runner) {
    return TestWorker.on(database.jdbcUrl(), TestWorker.config(), runner, this::keep);
  }

  private void keep(JobContext job, String name, Path file) throws IOException {
    kept.put(name, Files.readString(file));
  }

  private JobId submit(TestWorker worker, String script) {
    return submit(worker, Scripts.TYPE.request(script));
  }

  private JobId submit(TestWorker worker, JobRequest<String, String> request) {
    return worker.jobs().submit(caller, request).jobId();
  }

  // Counts, and then waits for a file, of which it tells.
  private String counting(String file, int most) {
    var numbers = IntStream.rangeClosed(1, most).mapToObj("echo %d"::formatted).toList();
    return "%s; while [ ! -e %s ]; do sleep 0.1; done; echo go"
        .formatted(String.join("; ", numbers), folder.resolve(file));
  }

  private Job end(TestWorker worker, JobId id) {
    var job = worker.jobs().await(caller, id, LONG).orElseThrow();
    assertThat(job.status().isFinal()).as(job.toString()).isTrue();
    return job;
  }

  private void awaitLines(TestWorker worker, JobId id, String... lines) {
    await()
        .atMost(LONG)
        .until(() -> History.lines(worker.jobs(), caller, id).equals(List.of(lines)));
  }

  private RunId run(JobId id, int attempt) {
    return new RunId(caller.tenant(), id, attempt);
  }

  private void awaitNoProcess(JobId id, int attempt) {
    var name = run(id, attempt).name();
    await().atMost(LONG).until(() -> MarkedProcesses.of(name).isEmpty());
  }
}
