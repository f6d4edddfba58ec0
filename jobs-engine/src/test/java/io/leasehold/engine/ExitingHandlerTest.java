package io.leasehold.engine;

import static io.leasehold.engine.ExitingMain.CALLER;
import static io.leasehold.engine.ExitingMain.EXITING;
import static io.leasehold.engine.ExitingMain.FILLING;
import static io.leasehold.engine.ExitingMain.ORDINARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A handler that ends its process, and with it the worker: by an exit, or because it takes all the
 * memory of a process that is set to end then.
 */
class ExitingHandlerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static RunningEngine submitter;

  /** It has no handler, but rescues what others lost. */
  @BeforeAll
  static void start() {
    submitter = RunningEngine.on(database, ExitingMain.CONFIG.workerName("rescuer"));
  }

  @AfterAll
  static void stop() {
    submitter.close();
  }

  @ParameterizedTest
  @CsvSource({"exiting, false", "exiting, true", "filling, false"})
  void jobThatKillsItsWorkersFailsAndDelaysNoOther(String handler, boolean stopsEngine)
      throws Exception {
    var type = handler.equals("exiting") ? EXITING : FILLING;
    var exiting = submitter.jobs().submit(CALLER, type.request("")).jobId();

    assertThat(exitCodeOfAWorker(stopsEngine)).isEqualTo(3);
    await().atMost(Duration.ofSeconds(20)).until(() -> find(exiting).status() == JobStatus.QUEUED);
    loseUntilItHad(9);
    assertThat(exitCodeOfAWorker(stopsEngine)).isEqualTo(3);

    assertThat(awaitEnd(exiting).status()).isEqualTo(JobStatus.FAILED);
    assertThat(find(exiting).lastError().orElseThrow()).contains("was lost during attempt");
    assertThat(find(exiting).attempts()).isGreaterThanOrEqualTo(10);
    try (var _ = worker(stopsEngine)) {
      var ordinary = submitter.jobs().submit(CALLER, ORDINARY.request("")).jobId();
      assertThat(awaitEnd(ordinary).status()).isEqualTo(JobStatus.SUCCEEDED);
    }
  }

  private static int exitCodeOfAWorker(boolean stopsEngine) throws Exception {
    try (var worker = worker(stopsEngine)) {
      assertThat(worker.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
      return worker.process().exitValue();
    }
  }

  private static ClientProcess worker(boolean stopsEngine) throws IOException {
    return ClientProcess.start(
        List.of("-XX:+ExitOnOutOfMemoryError"),
        ExitingMain.class,
        database.jdbcUrl(),
        Boolean.toString(stopsEngine));
  }

  // As if that number of workers had been lost with the job.
  private static void loseUntilItHad(int attempts) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.prepareStatement("UPDATE leasehold.ready SET attempts = ?")) {
      statement.setInt(1, attempts);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  private static Job find(JobId id) {
    return submitter.jobs().find(CALLER, id).orElseThrow();
  }

  private static Job awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(60)).until(() -> find(id).status().isFinal());
    return find(id);
  }
}
