package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.runs.process.MarkedProcesses;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A worker is killed while twenty processes run, and another goes on with them. */
@EnabledOnOs(OS.LINUX)
class KilledWorkerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int RUNS = 20;

  @TempDir Path folder;

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @AfterEach
  void leaveNothing() throws Exception {
    for (var run : runner().all()) {
      runner().remove(run);
    }
  }

  @Test
  void anotherWorkerAdoptsAllRuns() throws Exception {
    try (var submitter = submitter()) {
      var ids = new ArrayList<JobId>();
      for (var i = 0; i < RUNS; i++) {
        ids.add(submitter.jobs().submit(caller, Scripts.TYPE.request(script(i))).jobId());
      }
      try (var first = WorkerProcess.start(database.jdbcUrl(), runsFolder().toString())) {
        await()
            .atMost(LONG)
            .until(() -> ids.stream().allMatch(id -> kinds(submitter, id).contains("log")));
        first.kill();
      }
      assertThat(ids).allMatch(id -> !MarkedProcesses.of(run(id).name()).isEmpty());

      try (var next = worker()) {
        await()
            .atMost(LONG)
            .until(() -> ids.stream().allMatch(id -> kinds(next, id).contains("reclaimed")));
        Files.createFile(folder.resolve("go"));

        assertThat(ids.stream().map(id -> end(next, id)).toList())
            .allMatch(job -> job.status() == JobStatus.SUCCEEDED)
            .allMatch(job -> job.attempts() == 1);
        assertThat(ids)
            .allSatisfy(
                id -> {
                  assertThat(History.lines(next.jobs(), caller, id))
                      .containsExactly("begun", "over");
                  assertThat(kinds(next, id))
                      .containsExactly(
                          "queued",
                          "started",
                          "log",
                          "worker_lost",
                          "reclaimed",
                          "log",
                          "succeeded");
                });
        assertThat(begun()).isEqualTo(RUNS);
        assertThat(next.runs().sweep()).hasSize(RUNS);
      }
    }
  }

  @Test
  void aMissingRunIsRetriedOrFails() throws Exception {
    try (var submitter = submitter()) {
      var again = submitter.jobs().submit(caller, Scripts.TYPE.request(script(0))).jobId();
      var last =
          submitter.jobs().submit(caller, Scripts.TYPE.request(script(1)).maxAttempts(1)).jobId();
      try (var first = WorkerProcess.start(database.jdbcUrl(), runsFolder().toString())) {
        await().atMost(LONG).until(() -> begun() == 2);
        first.kill();
      }
      MarkedProcesses.kill(run(again).name());
      MarkedProcesses.kill(run(last).name());
      Files.createFile(folder.resolve("go"));

      try (var next = worker()) {
        assertThat(end(next, again).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(end(next, again).attempts()).isEqualTo(2);
        assertThat(kinds(next, again))
            .containsSubsequence("worker_lost", "reclaimed", "retry_scheduled", "started");
        assertThat(end(next, last).status()).isEqualTo(JobStatus.FAILED);
        assertThat(end(next, last).lastError().orElseThrow())
            .endsWith("the run of attempt 1 is gone, and how it ended is unknown");
      }
    }
  }

  /** It comes back when another has its run, and stops neither that nor tells anything of it. */
  @Test
  void aFrozenWorkerLeavesItsRunsToTheAdoptingWorker() throws Exception {
    try (var next = worker()) {
      next.stop();
      var id = next.jobs().submit(caller, Scripts.TYPE.request(script(0))).jobId();
      try (var frozen = WorkerProcess.start(database.jdbcUrl(), runsFolder().toString())) {
        await().atMost(LONG).until(() -> kinds(next, id).contains("log"));
        frozen.signal("STOP");
        try (var other = worker()) {
          await().atMost(LONG).until(() -> kinds(other, id).contains("reclaimed"));
          frozen.signal("CONT");
        }
        // The one that came back is the only one by now, and has noticed that it was frozen.
        await().atMost(LONG).until(() -> Collections.frequency(kinds(next, id), "reclaimed") == 2);
        Files.createFile(folder.resolve("go"));

        var job = end(next, id);
        assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(job.attempts()).isEqualTo(1);
        assertThat(History.lines(next.jobs(), caller, id)).containsExactly("begun", "over");
        assertThat(begun()).isEqualTo(1);
      }
    }
  }

  // One that only takes jobs: the handler is another's.
  private TestWorker submitter() {
    return TestWorker.on(
        database.jdbcUrl(), TestWorker.config().roles(Set.of()), runner(), KeepRunOutput.NOTHING);
  }

  private TestWorker worker() {
    return TestWorker.on(database.jdbcUrl(), TestWorker.config(), runner(), KeepRunOutput.NOTHING);
  }

  // Each start leaves a line.
  private String script(int number) {
    return """
    echo begun
    echo begun >>%1$s/begun-%2$d
    while [ ! -e %1$s/go ]; do sleep 0.2; done
    echo over\
    """
        .formatted(folder, number);
  }

  private long begun() throws IOException {
    var lines = 0L;
    try (var files = Files.newDirectoryStream(folder, "begun-*")) {
      for (var file : files) {
        lines += Files.readAllLines(file).size();
      }
    }
    return lines;
  }

  private Path runsFolder() {
    return folder.resolve("runs");
  }

  private ProcessRunner runner() {
    return new ProcessRunner(runsFolder());
  }

  private RunId run(JobId id) {
    return new RunId(caller.tenant(), id, 1);
  }

  private List<String> kinds(TestWorker worker, JobId id) {
    return History.kinds(worker.jobs(), caller, id);
  }

  private Job end(TestWorker worker, JobId id) {
    return worker.jobs().await(caller, id, LONG).orElseThrow();
  }
}
