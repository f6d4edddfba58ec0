package io.leasehold.engine;

import static io.leasehold.engine.ExitingMain.CALLER;
import static io.leasehold.engine.ExitingMain.FILLING;
import static io.leasehold.engine.ExitingMain.ORDINARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that take all the memory that their process has, of which the engine needs some. */
class FillingHandlerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void jobThatExhaustsTheHeapFailsAndTheProcessContinues() throws Exception {
    try (var submitter = RunningEngine.on(database, ExitingMain.CONFIG.workerName("rescuer"));
        var worker = ClientProcess.start(ExitingMain.class, database.jdbcUrl(), "false")) {
      for (int round = 0; round < 3; round++) {
        var filling = submit(submitter, FILLING.request(""), 4);
        // Some of these may be where there is no memory at that moment.
        var ordinary = submit(submitter, ORDINARY.request(""), 50);

        assertThat(ends(submitter, filling)).containsOnly(JobStatus.FAILED);
        assertThat(ends(submitter, ordinary)).containsOnly(JobStatus.SUCCEEDED);
      }
      assertThat(worker.process().isAlive()).isTrue();
    }
  }

  private static List<JobId> submit(RunningEngine engine, JobRequest<?, ?> request, int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> engine.jobs().submit(CALLER, request).jobId())
        .toList();
  }

  private static List<JobStatus> ends(RunningEngine engine, List<JobId> jobs) {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> jobs.stream().allMatch(id -> find(engine, id).status().isFinal()));
    return jobs.stream().map(id -> find(engine, id).status()).toList();
  }

  private static Job find(RunningEngine engine, JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }
}
