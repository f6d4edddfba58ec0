package io.leasehold.engine.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.engine.service.query.StoredJob;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.lease.Keeping;
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
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.JSON;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases that were given back before the answer to their claim came. */
class LeasesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final TenantId TENANT = new TenantId(new UUID(1, 1));

  private static OpenService service;

  private final WorkerId worker = WorkerId.random();
  private final RunningJobs held = new RunningJobs();

  @BeforeAll
  static void open() {
    service = OpenService.on(database, EngineConfig.defaults());
  }

  @AfterAll
  static void close() {
    service.close();
  }

  /** No job is watched. */
  private static final class Unwatched implements JobChanges {
    @Override
    public <T> void changed(Collection<T> those, Function<? super T, JobId> id) {}
  }

  private Leases leases(Duration lease) {
    return leases(service, worker, lease, held);
  }

  /** Those of a worker that holds none yet. */
  static Leases leases(OpenService service, WorkerId worker, Duration lease) {
    return leases(service, worker, lease, new RunningJobs());
  }

  private static Leases leases(
      OpenService service, WorkerId worker, Duration lease, RunningJobs held) {
    return new Leases(
        held,
        Keeping.leases(service.transactions(), worker),
        new Terms(Map.of(), OptionalInt.empty(), lease, lease, lease),
        Measuring.unrecorded(),
        Measuring.signsOfLife(),
        new Unwatched());
  }

  private ClaimedJob unanswered() throws SQLException {
    return unanswered("1 h");
  }

  // A job with a lease of this worker that was claimed that long ago, and that the worker does not
  // hold.
  private ClaimedJob unanswered(String ago) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      var id = StoredJob.of(TENANT, Instant.now()).status(JobStatus.RUNNING).in(administrator);
      var token =
          statement.executeQuery(
              """
              UPDATE leasehold.lease
              SET worker_id = '%s', attempt_started_at = now() - interval '%s'
              WHERE id = '%s' RETURNING token
              """
                  .formatted(worker.value(), ago, id));
      token.next();
      return claimed(id, token.getLong(1));
    }
  }

  static ClaimedJob claimed(JobId id, long token) {
    return new ClaimedJob(
        TENANT,
        id,
        token,
        1,
        1,
        "gts.x.core.jobs.handler.v1~acme.tests.run.leases.v1",
        0,
        JSON.json("null"),
        null,
        Optional.empty(),
        Optional.empty(),
        "ann",
        Optional.empty());
  }

  @Test
  void areNotHeldIfTheAnswerComesTooLate() throws SQLException {
    var leases = leases(Duration.ofMinutes(10));
    var job = unanswered();

    leases.renew();
    leases.renew();

    assertThat(leases.hold(List.of(job), System.nanoTime())).isEmpty();
  }

  @Test
  void unansweredLeasesAreForgottenAfterTheLeaseTime() throws SQLException {
    var leases = leases(Duration.ofNanos(1));
    var job = unanswered();
    var sentAt = System.nanoTime();

    leases.renew();
    leases.renew();

    var held = leases.hold(List.of(job), sentAt);
    assertThat(held).hasSize(1);
    assertThat(held.getFirst().begin(System.nanoTime())).isFalse();
  }

  /** The worker never heard of the lease, so no handler has begun. */
  @Test
  void areReleasedWithoutAnAttemptOnceALostAnswerIsDetected() throws SQLException {
    var leases = leases(Duration.ofMinutes(10));
    var job = unanswered("2 s");

    leases.giveBackUnanswered();
    assertThat(stateOf(job)).isEqualTo("leased");

    leases.answerLost();
    leases.giveBackUnanswered();
    assertThat(stateOf(job)).isEqualTo("ready, 0 attempts, 0 kept");
  }

  @Test
  void countNoAttemptThatNeverStarted() throws SQLException {
    var leases = leases(Duration.ofMinutes(10));
    var job = unanswered();

    leases.renew();

    assertThat(stateOf(job)).isEqualTo("ready, 0 attempts, 0 kept");
  }

  @Test
  void countAnAttemptThatStartedAndWasForgotten() throws SQLException {
    var leases = leases(Duration.ofMinutes(10));
    var job = unanswered();
    var begun = leases.hold(List.of(job), System.nanoTime()).getFirst();
    begun.begin(System.nanoTime());
    held.removeUnended(begun);

    leases.renew();

    assertThat(stateOf(job)).isEqualTo("ready, 1 attempts, 1 kept");
  }

  /** Its end may be on its way. */
  @Test
  void areNotReleasedAtOnceIfAnAttemptStarted() throws SQLException {
    var leases = leases(Duration.ofMinutes(10));
    var job = unanswered();
    var begun = leases.hold(List.of(job), System.nanoTime()).getFirst();
    begun.begin(System.nanoTime());
    held.removeUnended(begun);

    leases.answerLost();
    leases.giveBackUnanswered();

    assertThat(stateOf(job)).isEqualTo("leased");
  }

  private static String stateOf(ClaimedJob job) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement();
        var state =
            statement.executeQuery(
                """
                SELECT CASE WHEN EXISTS (SELECT FROM leasehold.lease WHERE id = '%1$s') THEN 'leased'
                  ELSE (SELECT format('ready, %%s attempts, %%s kept', attempts, (
                    SELECT count(*) FROM leasehold.attempt WHERE id = '%1$s'))
                    FROM leasehold.ready WHERE id = '%1$s') END
                """
                    .formatted(job.id()))) {
      state.next();
      return state.getString(1);
    }
  }
}
