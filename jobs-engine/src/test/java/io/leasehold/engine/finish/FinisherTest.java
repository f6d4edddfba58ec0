package io.leasehold.engine.finish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.read.OpenService;
import io.leasehold.engine.read.StoredJob;
import io.leasehold.engine.submit.Dependents;
import io.leasehold.engine.watch.JobChanges;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.JSON;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever is thrown while ends are written, each job's slot is told how its own end went. */
class FinisherTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final TenantId TENANT = new TenantId(new UUID(1, 1));

  private final WorkerId worker = WorkerId.random();
  private final Map<JobId, Boolean> written = new ConcurrentHashMap<>();
  private OpenService service;
  private Finisher finisher;
  private Thread thread;

  /** A failure of no class that the engine expects. */
  private static final class Unexpected extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Fails at every notification. */
  private static final class Failing implements JobChanges, Dependents {

    @Override
    public <T> void changed(Collection<T> those, Function<? super T, JobId> id) {
      throw new Unexpected();
    }

    @Override
    public void look() {
      throw new Unexpected();
    }

    @Override
    public void ended() {
      throw new IllegalStateException("nobody listens");
    }
  }

  @BeforeEach
  void start() {
    service = OpenService.on(database, EngineConfig.defaults());
    var failing = new Failing();
    finisher =
        new Finisher(
            new Flush(service.transactions(), worker, new NotifyOfEnds(failing, failing)),
            Measuring.unrecorded());
    thread = Thread.ofVirtual().unstarted(finisher);
  }

  @AfterEach
  void stop() throws InterruptedException {
    thread.interrupt();
    thread.join();
    service.close();
  }

  private ClaimedJob running() throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      var id = StoredJob.of(TENANT, Instant.now()).status(JobStatus.RUNNING).in(administrator);
      var token =
          statement.executeQuery(
              "UPDATE leasehold.lease SET worker_id = '%s' WHERE id = '%s' RETURNING token"
                  .formatted(worker.value(), id));
      token.next();
      return new ClaimedJob(
          TENANT,
          id,
          token.getLong(1),
          1,
          1,
          "gts.x.core.jobs.handler.v1~acme.tests.finish.any.v1",
          0,
          JSON.json("null"),
          null,
          Optional.empty(),
          Optional.empty(),
          "ann",
          Optional.empty());
    }
  }

  private void finish(ClaimedJob job, JobStatus status, Consumer<Boolean> told) {
    var ending = new Ending.Last(job.id(), job.token(), status, null, Optional.empty());
    finisher.finish(job, ending, told.andThen(isWritten -> written.put(job.id(), isWritten)));
  }

  private String outcome(ClaimedJob job) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT status || coalesce(': ' || error, '') FROM leasehold.outcome WHERE id = '%s'"
                    .formatted(job.id()))) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  /** The batch has one without a status, which Java cannot make into a statement. */
  @Test
  @SuppressWarnings("NullAway")
  void anEndThatMakesJavaThrowFailsAlone() throws SQLException {
    var before = running();
    var bad = running();
    var after = running();
    finish(before, JobStatus.SUCCEEDED, _ -> {});
    finish(bad, null, _ -> {});
    finish(after, JobStatus.SUCCEEDED, _ -> {});

    thread.start();
    await().until(() -> written.size() == 3);

    assertThat(written).containsValues(true, true, true);
    assertThat(outcome(before)).isEqualTo("succeeded");
    assertThat(outcome(bad)).isEqualTo("failed: what the handler ended with cannot be stored");
    assertThat(outcome(after)).isEqualTo("succeeded");
  }

  @Test
  void aCallbackThatThrowsKeepsNoOtherFromBeingTold() throws SQLException {
    var first = running();
    var second = running();
    finish(
        first,
        JobStatus.SUCCEEDED,
        _ -> {
          throw new Unexpected();
        });
    finish(second, JobStatus.SUCCEEDED, _ -> {});

    thread.start();
    await().until(() -> written.size() == 1);

    assertThat(written).containsEntry(second.id(), true);
    assertThat(outcome(first)).isEqualTo("succeeded");
  }
}
