package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.schedules.Schedule;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that no Java code of the platform would store: a tenant's SQL cannot store them, and where
 * they are stored already, they end with an error of their own, and the victim's work does not wait
 * for them.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostileRowsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> WORK = EchoHandler.ECHO;
  private static final String HANDLER = WORK.handler().value();
  private static final int SLOTS = 4;
  private static final Duration SOON = Duration.ofSeconds(15);

  private static final TenantId HOSTILE = new TenantId(new UUID(7, 1));
  private static final SecurityContext ATTACKER = SecurityContext.of("eve", HOSTILE).build();
  private static final SecurityContext VICTIM =
      SecurityContext.of("ann", new TenantId(new UUID(7, 2))).build();

  private static RunningEngine engine;
  private static Connection administrator;
  private static TenantSession sql;

  @BeforeAll
  static void start() throws SQLException {
    administrator = database.connectAsAdministrator();
    sql = TenantSession.of(database, HOSTILE, Duration.ofSeconds(30));
    engine =
        RunningEngine.on(
            database,
            EngineConfig.defaults().concurrency(SLOTS).pollEvery(Duration.ofMillis(50)),
            new EchoHandler((job, input) -> input));
  }

  @AfterAll
  static void stop() throws SQLException {
    engine.close();
    sql.close();
    administrator.close();
  }

  private static void execute(String statement) throws SQLException {
    try (var run = administrator.createStatement()) {
      run.execute(statement);
    }
  }

  /** Stores a waiting job as the versions before did: with any values. */
  private static JobId stored(String timeLimit, String principal, String input)
      throws SQLException {
    var id = unplaced(timeLimit, principal, input);
    execute(
        """
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, queue, priority, 0, now() FROM leasehold.job WHERE id = '%s'
        """
            .formatted(id));
    return id;
  }

  private static JobId unplaced(String timeLimit, String principal, String input)
      throws SQLException {
    try (var insert = administrator.createStatement();
        var row =
            insert.executeQuery(
                """
                INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
                  max_attempts, time_limit, principal, correlation_id)
                VALUES ('%s', leasehold.new_id(), '%s', %s, '%s', 0, 3, %s, %s, E'x\\n"y')
                RETURNING id
                """
                    .formatted(HOSTILE, HANDLER, input, WORK.queue(), timeLimit, principal))) {
      row.next();
      return JobId.of(row.getString(1));
    }
  }

  private static Job found(SecurityContext caller, JobId id) {
    return engine.jobs().find(caller, id).orElseThrow();
  }

  private static Job ended(SecurityContext caller, JobId id) {
    await().atMost(SOON).until(() -> found(caller, id).status().isFinal());
    return found(caller, id);
  }

  private static void victimsJobsRun() {
    for (var i = 0; i < 2 * SLOTS; i++) {
      var id = engine.jobs().submit(VICTIM, WORK.request("" + i)).jobId();
      assertThat(ended(VICTIM, id).status()).isEqualTo(JobStatus.SUCCEEDED);
    }
  }

  private static void refused(String statement, String problem) {
    assertThatThrownBy(() -> sql.run(statement))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(problem)
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("23514");
  }

  private static String submit(String timeLimit, String delay, String principal, String input) {
    return "SELECT leasehold.submit('%s', '%s', 0::smallint, 3::smallint, %s, %s, %s, NULL, %s, NULL)"
        .formatted(HANDLER, WORK.queue(), timeLimit, delay, principal, input);
  }

  @Test
  void aJobWithoutAPrincipalIsNotStored() {
    refused(submit("NULL", "0", "''", "'1'"), "principal must");
    refused(submit("NULL", "0", "E' \\u2003\\u3000'", "'1'"), "principal must");
    refused(submit("NULL", "0", "repeat('x', 256)", "'1'"), "principal must");
    refused(submit("NULL", "0", "E'a\\nb'", "'1'"), "not \"a?b\"");
    refused(submit("NULL", "0", "NULL", "'1'"), "principal must");
  }

  /** Each of them takes a slot for a moment; one more than there are slots would take all. */
  @Test
  void jobsWithoutAPrincipalFailAndFreeTheirSlots() throws SQLException {
    var jobs = new ArrayList<JobId>();
    for (var i = 0; i < 3 * SLOTS; i++) {
      jobs.add(stored("NULL", "' '", "'\"x\"'"));
    }

    victimsJobsRun();

    for (var id : jobs) {
      assertThat(ended(ATTACKER, id).status()).isEqualTo(JobStatus.FAILED);
      assertThat(found(ATTACKER, id).lastError().orElseThrow()).contains("principal must");
    }
  }

  @Test
  void aJobWithAnEndlessTimeLimitIsNotStored() {
    refused(submit("9000000000000000", "0", "'p'", "'1'"), "time_limit_ms must be 1 to 2592000000");
    refused(submit("0", "0", "'p'", "'1'"), "time_limit_ms must");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9e15 * interval '1 ms'", "interval '-1 s'"})
  void aJobWithAnEndlessTimeLimitFailsAndTheOthersOfItsClaimRun(String timeLimit)
      throws SQLException {
    var job = stored(timeLimit, "'p'", "'\"x\"'");

    victimsJobsRun();

    assertThat(ended(ATTACKER, job).status()).isEqualTo(JobStatus.FAILED);
    assertThat(found(ATTACKER, job).lastError().orElseThrow()).contains("time limit must");
  }

  @Test
  void aLargeInputIsNotStored() {
    refused(
        submit("NULL", "0", "'p'", "('\"' || repeat('A', 1048576) || '\"')::json"),
        "input must have at most 1048576 characters, not 1048578");
    refused(
        submit("NULL", "0", "'p'", "('\"' || repeat('A', 150000000) || '\"')::json"),
        "input must have at most 1048576 characters, not 150000006 bytes");
  }

  @Test
  void aLargeInputIsNotLoaded() throws SQLException {
    var jobs = new ArrayList<JobId>();
    for (var i = 0; i < SLOTS; i++) {
      jobs.add(stored("NULL", "'p'", "('\"' || repeat('A', 150000000) || '\"')::json"));
    }

    victimsJobsRun();

    for (var id : jobs) {
      assertThat(ended(ATTACKER, id).lastError().orElseThrow())
          .contains("input must have at most 4194304 bytes, not 150000002");
    }
  }

  /** No claim, no move and no rescue ever sees it. */
  @Test
  void aJobWithoutAPlaceIsNotStored() {
    var all =
        "SELECT id FROM leasehold.submit_all('%s', 'default', 0::smallint, 3::smallint, NULL, %s,"
            + " 'p', NULL, %s, NULL, %s)";
    refused(
        all.formatted(HANDLER, "NULL", "ARRAY['{}'::json]", "NULL"),
        "delay_ms must be 0 to 315360000000, not NULL");
    refused(
        all.formatted(HANDLER, "0", "ARRAY['{}'::json]", "ARRAY[NULL, NULL]::text[]"),
        "keys must have 1 element, as inputs, not 2");
    refused(all.formatted(HANDLER, "0", "ARRAY[NULL]::json[]", "NULL"), "inputs must have no NULL");
  }

  @Test
  void aJobWithoutAPlaceIsReadAndCancelledAndDeleted() throws SQLException {
    var cancelled = unplaced("NULL", "'p'", "'1'");
    var deleted = unplaced("NULL", "'p'", "'1'");
    var retried = unplaced("NULL", "'p'", "'\"x\"'");

    assertThat(found(ATTACKER, cancelled).status()).isEqualTo(JobStatus.QUEUED);
    assertThat(engine.jobs().list(ATTACKER, JobFilter.newest().limit(200)).jobs())
        .extracting(Job::id)
        .contains(cancelled, deleted, retried);
    assertThat(engine.jobs().explain(ATTACKER, cancelled)).map(Explanation::status).isPresent();
    assertThat(engine.jobs().cancel(ATTACKER, cancelled))
        .isInstanceOf(Cancellation.Cancelled.class);
    assertThat(engine.jobs().delete(ATTACKER, deleted)).isInstanceOf(Deletion.Deleted.class);
    assertThat(engine.jobs().retry(ATTACKER, retried)).isInstanceOf(RetryOutcome.Queued.class);
    assertThat(found(ATTACKER, cancelled).status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(engine.jobs().find(ATTACKER, deleted)).isEmpty();
    assertThat(ended(ATTACKER, retried).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void aJobThatIsDueInAMillenniumIsListed() throws SQLException {
    var id = unplaced("NULL", "'p'", "'1'");
    execute(
        """
        INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, queue, priority, 0, '200000-01-01' FROM leasehold.job WHERE id = '%s'
        """
            .formatted(id));

    assertThat(engine.jobs().list(ATTACKER, JobFilter.newest().limit(200)).jobs())
        .extracting(Job::id)
        .contains(id);
    assertThat(engine.jobs().cancel(ATTACKER, id)).isInstanceOf(Cancellation.Cancelled.class);
  }

  @Test
  void aJobWithAnInvalidHandlerIdIsListed() throws SQLException {
    var id = unplaced("NULL", "'p'", "'1'");
    execute("UPDATE leasehold.job SET handler_id = 'DROP TABLE' WHERE id = '%s'".formatted(id));

    assertThat(engine.jobs().list(ATTACKER, JobFilter.newest().limit(200)).jobs())
        .filteredOn(job -> job.id().equals(id))
        .extracting(job -> job.handler().value())
        .containsExactly("gts.x.core.jobs.handler.v1~leasehold.jobs.handlers.unreadable.v1");
    assertThat(engine.jobs().cancel(ATTACKER, id)).isInstanceOf(Cancellation.Cancelled.class);
  }

  private static String put(String name, String principal, String next) {
    return """
    SELECT leasehold.put_schedule('%s', '* * * * * *', 'UTC', NULL, NULL, 0, 'once', '%s', '%s',
      0::smallint, 3::smallint, NULL, '"x"', NULL, %s, %s)
    """
        .formatted(name, HANDLER, WORK.queue(), principal, next);
  }

  @Test
  void aScheduleThatCannotFireIsNotStored() {
    refused(put("p", "''", "now()"), "principal must");
    refused(put("p", "'bob'", "'-infinity'"), "next must be from 1970");
    refused(put("p", "'bob'", "'infinity'"), "next must be from 1970");
    refused(put("p", "'bob'", "'4713-01-01 BC'"), "next must be from 1970");
  }

  /** As the versions before stored them, each ahead of the victim's. */
  @Test
  void unreadableSchedulesArePutAsideAndTheOthersFire() throws SQLException {
    // Not one row holds them: constraints are the net for what is stored from now on.
    execute(
        "ALTER TABLE leasehold.schedule DROP CONSTRAINT IF EXISTS schedule_principal_is_bounded,"
            + " DROP CONSTRAINT IF EXISTS schedule_next_is_an_instant");
    var names = List.of("blank", "before-time", "ancient", "endless");
    var principals = List.of("' '", "'p'", "'p'", "'p'");
    var slots = List.of("now()", "'-infinity'", "'4713-01-01 BC'", "now() - interval '1 h'");
    var limits = List.of("NULL", "NULL", "NULL", "9000000000000000");
    for (var i = 0; i < names.size(); i++) {
      execute(
          """
          INSERT INTO leasehold.schedule (tenant_id, name, cron, zone, jitter_ms, missed, handler_id,
            queue, priority, max_attempts, time_limit_ms, input, principal, next_at, start_at)
          VALUES ('%s', '%s', '* * * * * *', 'UTC', 0, 'once', '%s', '%s', 0, 3, %s, '"x"', %s, %s,
            '-infinity')
          """
              .formatted(
                  HOSTILE,
                  names.get(i),
                  HANDLER,
                  WORK.queue(),
                  limits.get(i),
                  principals.get(i),
                  slots.get(i)));
    }
    var request = ScheduleRequest.of("every-second", "* * * * * *", WORK.request("tick"));
    var began = engine.schedules().put(VICTIM, request).createdAt();

    await()
        .atMost(SOON)
        .until(
            () ->
                slot(VICTIM, "every-second")
                    .lastSlotAt()
                    .filter(at -> at.isAfter(began.plusSeconds(3)))
                    .isPresent());

    for (var name : names) {
      await().atMost(SOON).until(() -> slot(ATTACKER, name).fault().isPresent());
      assertThat(slot(ATTACKER, name).state()).isEqualTo(Schedule.State.ASIDE);
      assertThat(slot(ATTACKER, name).fault().orElseThrow().error()).contains("must");
    }
    assertThat(engine.schedules().list(ATTACKER, Optional.empty(), 10).schedules())
        .hasSize(names.size());
    engine.schedules().remove(VICTIM, "every-second");
  }

  private static Schedule slot(SecurityContext caller, String name) {
    return engine.schedules().find(caller, name).orElseThrow();
  }
}
