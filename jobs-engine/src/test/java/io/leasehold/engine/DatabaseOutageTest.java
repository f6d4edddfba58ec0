package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that cannot write for a while fails no job, though each has one attempt only. */
class DatabaseOutageTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @RegisterExtension final LogLines lines = new LogLines();

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private static final JobType<String, String> RETURNING = Handlers.type("returning");
  private static final JobType<String, String> TRANSACTIONAL = Handlers.type("transactional");
  private static final JobType<String, String> JOURNAL = Handlers.type("journal");
  private static final JobType<String, String> SUBMITTING = Handlers.type("submitting");
  private static final JobType<String, String> GIVING_UP = Handlers.type("giving_up");
  private static final JobType<String, String> CHILD = Handlers.type("child");

  private static final List<JobType<String, String>> ALL =
      List.of(RETURNING, TRANSACTIONAL, JOURNAL, SUBMITTING);

  private static RefusedInserts children;

  private final AtomicInteger runs = new AtomicInteger();
  private volatile CountDownLatch begun = new CountDownLatch(0);
  private volatile CountDownLatch go = new CountDownLatch(0);
  private RunningEngine engine;

  private final Handlers handlers =
      new Handlers()
          .with(RETURNING, (_, input) -> at(input))
          .inTransaction(
              TRANSACTIONAL,
              (tx, _, input) -> {
                engine.jobs().submit(tx, CHILD.request(at(input)));
                return input;
              })
          .with(JOURNAL, this::keep)
          .with(SUBMITTING, (job, input) -> submit(job, at(input)))
          .with(
              GIVING_UP,
              (job, input) -> {
                try {
                  return submit(job, at(input));
                } catch (IllegalStateException e) {
                  throw new PermanentFailure("no child", e);
                }
              })
          .with(CHILD, (_, input) -> input);

  private String at(String input) throws InterruptedException {
    runs.incrementAndGet();
    begun.countDown();
    go.await();
    return input;
  }

  private String keep(JobContext job, String input) throws Exception {
    job.progress(1, at(input));
    job.event("half", "way");
    job.step("first", String.class, () -> input);
    job.checkpoint(input);
    return input;
  }

  // Handlers wrap what they meet. The key makes it safe to ask again after a lost answer.
  private String submit(JobContext job, String input) {
    while (true) {
      try {
        engine.jobs().submit(job.caller(), CHILD.request(input).key(job.id().toString()));
        return input;
      } catch (JobsException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN) {
          throw new IllegalStateException("cannot submit", e);
        }
      }
    }
  }

  @BeforeAll
  static void prepare() throws SQLException {
    children = RefusedInserts.into("leasehold.job", "NEW.handler_id LIKE '%.child.v1'", database);
  }

  // With options of an operator's own, sessions are read-only where the database says so.
  @BeforeEach
  void start() {
    var db = RunningEngine.at(database.jdbcUrl() + "?options=-c%20jit=off").build();
    engine = RunningEngine.on(db, EngineConfig.defaults(), handlers);
  }

  @AfterEach
  void stop() throws SQLException {
    readOnly(false);
    children.take();
    engine.close();
  }

  // Sessions that are there already go on to write, so they are ended.
  private static void readOnly(boolean on) throws SQLException {
    var name = database.jdbcUrl().replaceAll(".*/([^?]*).*", "$1");
    execute(
        """
        SET transaction_read_only = off;
        ALTER DATABASE "%s" SET default_transaction_read_only = %s;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = '%s' AND usename <> session_user
        """
            .formatted(name, on, name));
  }

  private static void execute(String sql) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }

  private Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private void awaitSuccessAtFirstAttempt(List<JobId> jobs) {
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(jobs)
                    .map(this::find)
                    .allMatch(job -> job.status() == JobStatus.SUCCEEDED));
    assertThat(jobs).allMatch(id -> find(id).attempts() == 1);
  }

  @Test
  void aDatabaseThatIsReadOnlyForSecondsFailsNoJob() throws Exception {
    for (var round = 0; round < 2; round++) {
      go = new CountDownLatch(1);
      begun = new CountDownLatch(ALL.size() * 5);
      var jobs = new ArrayList<JobId>();
      for (var i = 0; i < 5; i++) {
        ALL.forEach(type -> jobs.add(engine.jobs().submit(CALLER, type.request("x")).jobId()));
      }
      begun.await();
      readOnly(true);

      go.countDown();
      await()
          .atMost(SOON)
          .until(() -> engine.health().database().status() == EngineHealth.Status.DEGRADED);
      readOnly(false);

      awaitSuccessAtFirstAttempt(jobs);
    }
    assertThat(linesOfTrouble())
        .as("log lines of two outages")
        .hasSizeLessThan(40)
        .allMatch(text -> text.lines().count() == 1)
        .noneMatch(text -> text.contains("INSERT INTO") || text.contains("select "));
  }

  private List<String> linesOfTrouble() {
    return lines
        .all()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"25006", "53100", "53200", "55000", "58030", "XX000"})
  void anOutageCountsNoAttempt(String state) throws Exception {
    children.refuse(state);
    var plain = engine.jobs().submit(CALLER, SUBMITTING.request("x")).jobId();
    var transactional = engine.jobs().submit(CALLER, TRANSACTIONAL.request("x")).jobId();

    await().atMost(SOON).until(() -> runs.get() > 4);
    children.take();

    awaitSuccessAtFirstAttempt(List.of(plain, transactional));
  }

  /** One that makes the server end its session each time must not do so for ever. */
  @Test
  void aHandlerWhoseConnectionKeepsBreakingFailsFinally() throws SQLException {
    children.refuse("57P02");
    var job = engine.jobs().submit(CALLER, SUBMITTING.request("x")).jobId();

    await().atMost(Duration.ofSeconds(60)).until(() -> find(job).status() == JobStatus.FAILED);

    assertThat(runs).hasValue(10);
  }

  @Test
  void aHandlerMayDeclareAnOutagePermanent() throws SQLException {
    children.refuse("53100");
    var job = engine.jobs().submit(CALLER, GIVING_UP.request("x")).jobId();

    await().atMost(SOON).until(() -> find(job).status() == JobStatus.FAILED);

    assertThat(runs).hasValue(1);
  }

  @Test
  void aHandlerWhoseValueIsRefusedUsesItsAttempt() throws SQLException {
    children.refuse("22001");
    var job = engine.jobs().submit(CALLER, SUBMITTING.request("x")).jobId();

    await().atMost(SOON).until(() -> find(job).status() == JobStatus.FAILED);

    assertThat(runs).hasValue(1);
  }
}
