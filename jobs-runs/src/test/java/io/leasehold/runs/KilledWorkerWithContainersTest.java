package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.runs.docker.Docker;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A worker is killed while containers run, and one of another machine goes on with them. */
class KilledWorkerWithContainersTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(60);

  private static final String SHORT =
      "echo begun; sleep 5; echo over; echo 42 >$LEASEHOLD_OUTPUTS/result";
  private static final String ENDLESS = "echo begun; while :; do sleep 0.1; done";

  @TempDir Path folder;

  private final String fleet = "test-" + UUID.randomUUID();
  private final Docker docker = Docker.of("docker");
  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @BeforeEach
  void requireAnEngine() throws InterruptedException {
    assumeTrue(hasImage(), "no Docker engine answers that has the image " + Scripts.IMAGE);
  }

  private boolean hasImage() throws InterruptedException {
    try {
      return docker.ask("image", "inspect", Scripts.IMAGE).isDone();
    } catch (IOException e) {
      return false; // There is no such program.
    }
  }

  @AfterEach
  void leaveNothing() throws Exception {
    if (hasImage()) {
      for (var run : runner().all()) {
        runner().remove(run);
      }
    }
  }

  @Test
  void anotherWorkerAdoptsCollectsCancelsAndRemovesRuns() throws Exception {
    JobId done;
    JobId cancelled;
    JobId gone;
    try (var client = worker()) {
      client.stop();
      done = client.jobs().submit(caller, Scripts.TYPE.request(SHORT)).jobId();
      cancelled = client.jobs().submit(caller, Scripts.TYPE.request(ENDLESS)).jobId();
      gone = client.jobs().submit(caller, Scripts.TYPE.request(ENDLESS).maxAttempts(1)).jobId();
      var killed = folder.resolve("killed").toString();
      try (var first = WorkerProcess.start(database.jdbcUrl(), killed, fleet)) {
        await()
            .atMost(LONG)
            .until(
                () ->
                    Stream.of(done, cancelled, gone)
                        .allMatch(id -> kinds(client, id).contains("log")));
        first.kill();
      }
    }
    docker.ask("rm", "--force", fleet + "_" + run(gone).name());

    try (var next = worker()) {
      await().atMost(LONG).until(() -> kinds(next, cancelled).contains("reclaimed"));
      next.jobs().cancel(caller, cancelled);

      assertThat(end(next, done).status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(end(next, done).attempts()).isEqualTo(1);
      assertThat(next.jobs().result(caller, done, String.class).toString()).contains("42");
      assertThat(History.lines(next.jobs(), caller, done)).containsExactly("begun", "over");
      assertThat(end(next, cancelled).status()).isEqualTo(JobStatus.CANCELLED);
      assertThat(runner().find(run(cancelled)).orElseThrow()).isInstanceOf(RunState.Exited.class);
      assertThat(end(next, gone).status()).isEqualTo(JobStatus.FAILED);
      assertThat(end(next, gone).lastError().orElseThrow()).contains("is gone");

      assertThat(next.runs().sweep()).contains(run(done), run(cancelled));
      assertThat(docker.ask("ps", "--all", "--quiet", "--filter", "name=" + fleet).out()).isEmpty();
    }
  }

  private TestWorker worker() {
    return TestWorker.on(database.jdbcUrl(), TestWorker.config(), runner(), KeepRunOutput.NOTHING);
  }

  private DockerRunner runner() {
    return DockerRunner.of(fleet, folder.resolve("next")).options("--network=none");
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
