package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each meter moves by what a real engine does. */
class MetersTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      Handlers.type("metered").retry(RetryPolicy.exponential(2));
  private static final JobType<String, String> IN_TRANSACTION = Handlers.type("transaction");
  private static final JobType<String, String> UNKNOWN =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.engine.unknown.v1", String.class, String.class)
          .queue("metered");
  private static final String HANDLER = TYPE.handler().value();

  private final Metered meters = new Metered();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @BeforeEach
  void noJobs() throws SQLException {
    execute("DELETE FROM leasehold.ready; DELETE FROM leasehold.scheduled");
    execute("DELETE FROM leasehold.lease");
  }

  private Handlers handlers() {
    return new Handlers()
        .with(TYPE, this::run)
        .inTransaction(IN_TRANSACTION, (tx, job, input) -> input);
  }

  private String run(JobContext job, String input) throws Exception {
    return switch (input) {
      case "fail" -> throw new PermanentFailure("no");
      case "fail once" -> {
        if (job.attempt() == 1) {
          throw new IllegalStateException("not yet");
        }
        yield input;
      }
      case "later" -> throw new JobsException(ErrorCode.POOL_EXHAUSTED, "later");
      case "wait" -> {
        goOn.await();
        yield input;
      }
      default -> input;
    };
  }

  private RunningEngine engine() {
    return engine(EngineConfig.defaults());
  }

  private RunningEngine engine(EngineConfig config) {
    return RunningEngine.on(database, config, handlers(), meters);
  }

  private static JobId submit(RunningEngine engine, String input) {
    return engine.jobs().submit(CALLER, TYPE.request(input)).jobId();
  }

  private void awaitEnded(String outcome) {
    await().until(() -> ended(outcome) > 0);
  }

  private double ended(String outcome) {
    return meters.count("leasehold.attempts.ended", "handler", HANDLER, "outcome", outcome);
  }

  @Test
  void countSubmissionsThatAreStored() {
    try (var engine = engine()) {
      submit(engine, "");
      engine.jobs().submit(CALLER, TYPE.request("").key("k"));
      engine.jobs().submit(CALLER, TYPE.request("").key("k"));
      assertThatThrownBy(
              () ->
                  engine
                      .transactions()
                      .asTenant(
                          CALLER,
                          tx -> {
                            engine.jobs().submit(tx, TYPE.request(""));
                            throw new IllegalStateException("no");
                          }))
          .hasMessage("no");
      engine.jobs().submit(CALLER, UNKNOWN.request(""));

      assertThat(meters.count("leasehold.jobs.submitted", "handler", HANDLER)).isEqualTo(2);
      assertThat(meters.count("leasehold.jobs.submitted", "handler", "other")).isEqualTo(1);
    }
  }

  @Test
  void measureTheWaitOfJobsByTheDatabasesClock() throws SQLException {
    try (var engine = engine(EngineConfig.defaults().concurrencyOf(Map.of("metered", 1)))) {
      submit(engine, "wait");
      await().until(() -> meters.gauge("leasehold.slots.busy", "queue", "metered") == 1);
      submit(engine, "");
      execute("UPDATE leasehold.ready SET available_at = now() - interval '1 h'");
      goOn.countDown();

      await().until(() -> meters.times("leasehold.jobs.wait", "queue", "metered") == 2);
      assertThat(meters.longestSeconds("leasehold.jobs.wait", "queue", "metered"))
          .isCloseTo(3_600, within(60.0));
    }
  }

  @Test
  void measureHandlersAndClaimsAndFlushes() {
    try (var engine = engine()) {
      submit(engine, "");
      awaitEnded("succeeded");

      assertThat(meters.times("leasehold.attempts.run", "handler", HANDLER)).isEqualTo(1);
      assertThat(meters.summed("leasehold.claims.jobs", "queue", "metered")).isEqualTo(1);
      assertThat(meters.times("leasehold.claims.time", "queue", "metered")).isPositive();
      assertThat(meters.summed("leasehold.flushes.jobs")).isEqualTo(1);
      assertThat(meters.times("leasehold.flushes.time")).isEqualTo(1);
    }
  }

  @Test
  void countAttemptsByOutcome() {
    try (var engine = engine(EngineConfig.defaults().cancelGrace(Duration.ZERO))) {
      submit(engine, "");
      submit(engine, "fail");
      submit(engine, "fail once");
      submit(engine, "later");
      var cancelled = submit(engine, "wait");
      engine.jobs().submit(CALLER, TYPE.request("wait").timeout(Duration.ofMillis(100)));
      await().until(() -> meters.gauge("leasehold.slots.busy", "queue", "metered") >= 1);
      await().until(() -> ended("retried") == 2); // One failed, one took too long.
      engine.jobs().cancel(CALLER, cancelled);

      awaitEnded("cancelled");
      awaitEnded("timed_out");
      awaitEnded("put_off");
      await().until(() -> ended("succeeded") == 2);
      assertThat(ended("failed")).isEqualTo(1);
      assertThat(ended("lost")).isZero();
    }
  }

  @Test
  void countTransactionalEnds() {
    try (var engine = engine()) {
      engine.jobs().submit(CALLER, IN_TRANSACTION.request(""));

      await()
          .until(
              () ->
                  meters.times(
                          "leasehold.attempts.run",
                          "handler",
                          IN_TRANSACTION.handler().value(),
                          "outcome",
                          "succeeded")
                      == 1);
    }
  }

  @Test
  void countJobsWithoutAHandlerAsOther() {
    try (var engine = engine()) {
      engine.jobs().submit(CALLER, UNKNOWN.request(""));

      await()
          .until(
              () ->
                  meters.count("leasehold.attempts.ended", "handler", "other", "outcome", "put_off")
                      == 1);
      assertThat(meters.times("leasehold.attempts.run", "handler", "other")).isZero();
    }
  }

  @Test
  void countLeasesThatAreLost() throws SQLException {
    try (var engine = engine(EngineConfig.defaults().lease(Duration.ofSeconds(1)))) {
      submit(engine, "wait");
      await().until(() -> count("SELECT count(*) FROM leasehold.lease") == 1);
      execute("UPDATE leasehold.lease SET token = -token, locked_until = now() + '1 day'");

      awaitEnded("lost");
      assertThat(meters.count("leasehold.leases.lost")).isEqualTo(1);
    }
  }

  @Test
  void countReleasedJobs() {
    try (var engine = engine()) {
      submit(engine, "wait");
      await().until(() -> meters.gauge("leasehold.slots.busy", "queue", "metered") == 1);
      engine.stop(Duration.ZERO);

      awaitEnded("released");
      assertThat(meters.gauge("leasehold.slots.busy", "queue", "metered")).isZero();
      assertThat(meters.gauge("leasehold.slots", "queue", "metered")).isEqualTo(50);
    }
  }

  @Test
  void countRescuedJobs() throws SQLException {
    try (var engine = engine(EngineConfig.defaults().rescueEvery(Duration.ofMillis(200)))) {
      engine.jobs().submit(CALLER, Handlers.type("elsewhere").request(""));
      engine.jobs().submit(CALLER, Handlers.type("elsewhere").request(""));
      execute(
          """
          INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until,
            when_lost, attempt_started_at, started_at)
          SELECT tenant_id, id, gen_random_uuid(), nextval('leasehold.lease_token'), 1,
            now() - interval '1 s',
            CASE row_number() OVER () WHEN 1 THEN 'fail' ELSE 'requeue' END, now(), now()
          FROM leasehold.ready;
          DELETE FROM leasehold.ready\
          """);

      await().until(() -> meters.count("leasehold.leases.rescued", "action", "failed") == 1);
      assertThat(meters.count("leasehold.leases.rescued", "action", "requeued")).isEqualTo(1);
    }
  }

  @Test
  void reportQueueDepthAndTheListener() {
    try (var submitter = RunningEngine.on(database, EngineConfig.defaults())) {
      submit(submitter, "");
    }
    var elsewhere = new Handlers().with(Handlers.type("elsewhere"), (job, input) -> input);
    try (var _ = RunningEngine.on(database, EngineConfig.defaults(), elsewhere, meters)) {
      await().until(() -> meters.gauge("leasehold.queue.depth", "queue", "other") == 1);
      await().until(() -> meters.gauge("leasehold.listener.silence") < 10);
    }
  }

  private static long count(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
