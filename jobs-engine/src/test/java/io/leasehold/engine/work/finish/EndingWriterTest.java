package io.leasehold.engine.work.finish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.RefusedInserts;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.engine.service.query.StoredJob;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.JSON;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is thrown while ends are written, each job's slot is told how its own end went. */
class EndingWriterTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final TenantId TENANT = new TenantId(new UUID(1, 1));

  private static RefusedInserts results;

  private final WorkerId worker = WorkerId.random();
  private final Map<JobId, Boolean> written = new ConcurrentHashMap<>();
  private OpenService service;
  private EndingWriter finisher;
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
      throw new IllegalStateException("no listener");
    }
  }

  @BeforeAll
  static void prepare() throws SQLException {
    results = RefusedInserts.into("leasehold.outcome", "NEW.result IS NOT NULL", database);
  }

  @BeforeEach
  void start() {
    service = OpenService.on(database, EngineConfig.defaults());
    var failing = new Failing();
    finisher =
        new EndingWriter(
            new WriteEndings(service.transactions(), worker, new NotifyOfEnds(failing, failing)),
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

  private void finishWithResult(ClaimedJob job) {
    var ending =
        new Ending.Last(
            job.id(), job.token(), JobStatus.SUCCEEDED, JSON.json("1"), Optional.empty());
    finisher.finish(job, ending, isWritten -> written.put(job.id(), isWritten));
  }

  @AfterEach
  void takeResultsAgain() throws SQLException {
    results.take();
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
  void anEndThatMakesJavaThrowDoesNotAffectTheOthers() throws SQLException {
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
  void aCallbackThatThrowsDoesNotAffectTheOthers() throws SQLException {
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

  @Test
  void aFailedAttemptIsRetriedAfterItsDelay() throws SQLException {
    var job = running();
    var ending =
        new Ending.Again(job.id(), job.token(), JobStatus.FAILED, "as if", Duration.ofHours(1));
    finisher.finish(job, ending, isWritten -> written.put(job.id(), isWritten));

    thread.start();
    await().until(() -> written.size() == 1);

    assertThat(isDueInAnHour(job)).isTrue();
  }

  private static boolean isDueInAnHour(ClaimedJob job) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT available_at BETWEEN now() + interval '55 min' AND now() + interval '1 h'
                FROM leasehold.scheduled WHERE id = '%s'
                """
                    .formatted(job.id()))) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  /** The state tells of the server: the same end is taken when the server has recovered. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "25006", "42501", "53100", "53200", "53400", "55000", "55P03", "57014", "57P01", "58030",
        "XX000"
      })
  void anEndThatTheServerCannotWriteNowIsWrittenLater(String state) throws SQLException {
    var job = running();
    results.refuse(state);
    finishWithResult(job);

    thread.start();
    await().until(() -> results.count() > 3);
    assertThat(written).isEmpty();
    assertThat(outcome(job)).isEmpty();
    results.take();
    await().until(() -> written.size() == 1);

    assertThat(outcome(job)).isEqualTo("succeeded");
  }

  /** As a large result does on a disk that has room for small ones. */
  @ParameterizedTest
  @ValueSource(strings = {"42501", "53100", "53200", "55000", "58030", "XX000"})
  void anEndThatTheServerCannotWriteNowDoesNotAffectTheOthers(String state) throws SQLException {
    var bad = running();
    var others = List.of(running(), running(), running());
    results.refuse(state);
    finishWithResult(bad);
    others.forEach(job -> finish(job, JobStatus.SUCCEEDED, _ -> {}));

    thread.start();
    await().until(() -> written.size() == others.size());

    assertThat(written).doesNotContainKey(bad.id());
    results.take();
    await().until(() -> written.size() == others.size() + 1);
    assertThat(outcome(bad)).isEqualTo("succeeded");
  }

  /** More of them than are tried one by one in a row. */
  @Test
  void manyEndsThatTheServerCannotWriteNowDoNotAffectTheOthers() throws SQLException {
    results.refuse("53100");
    for (var i = 0; i < 25; i++) {
      finishWithResult(running());
    }
    var last = running();
    finish(last, JobStatus.SUCCEEDED, _ -> {});

    thread.start();

    await().until(() -> written.containsKey(last.id()));
    assertThat(written).hasSize(1);
    results.take();
    await().until(() -> written.size() == 26);
    assertThat(written.values()).containsOnly(true);
  }

  /** The state tells of the value: the same end is never taken. */
  @ParameterizedTest
  @ValueSource(strings = {"0A000", "21000", "22001", "22P02", "23514", "54000"})
  void anEndWhoseValueIsRefusedFails(String state) throws SQLException {
    var job = running();
    results.refuse(state);
    finishWithResult(job);

    thread.start();
    await().until(() -> written.size() == 1);

    assertThat(outcome(job)).isEqualTo("failed: what the handler ended with cannot be stored");
  }
}
