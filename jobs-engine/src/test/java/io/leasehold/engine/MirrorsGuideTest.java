package io.leasehold.engine;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.ToolRun.TOOL_RUN;
import static io.leasehold.engine.Works.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.spi.MirrorTable;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide/mirrors.md, with an engine at work. */
class MirrorsGuideTest {

  @RegisterExtension
  static final TestDatabase database = new TestDatabase("/io/leasehold/engine/tool_run.sql");

  private static final MirrorTable RUNS = MirrorTable.named("acme.tool_run");
  private static final JobType<String, String> LINT = Handlers.type("lint");
  private static final JobType<String, String> SLOW =
      Handlers.type("slow").timeout(Duration.ofMillis(100)).retry(RetryPolicy.exponential(1));
  private static final JobType<String, String> IN_MEMORY =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.engine.forgotten.v1", String.class, String.class);

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final Semaphore gate = new Semaphore(0);
  private RunningEngine engine = start(EngineConfig.defaults());

  private RunningEngine start(EngineConfig config) {
    var handlers =
        new Handlers()
            .with(
                LINT,
                (job, input) -> {
                  gate.acquire();
                  if (input.isEmpty()) {
                    throw new PermanentFailure("nothing to lint");
                  }
                  return input;
                })
            .with(
                SLOW,
                (job, input) -> {
                  gate.acquire();
                  return input;
                });
    return RunningEngine.on(
        database, config.cancelGrace(Duration.ofMillis(50)), handlers, new ToolRuns());
  }

  private static final class ToolRuns extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(TOOL_RUN);
    }
  }

  @AfterEach
  void stop() {
    gate.release(100);
    engine.close();
  }

  private UUID requested(JobType<String, String> type, String input) {
    var jobs = engine.jobs();
    return engine
        .transactions()
        .asTenant(
            caller,
            tx -> {
              var id = UUID.randomUUID();
              tx.insert(TOOL_RUN).set(TOOL_RUN.id, id).set(TOOL_RUN.tool, "lint").execute();
              jobs.submit(tx, type.request(input).mirroredBy(RUNS, id));
              return id;
            });
  }

  private String read(UUID run) {
    return engine
        .transactions()
        .asTenant(
            caller,
            tx ->
                tx.dsl()
                    .select(TOOL_RUN.status, TOOL_RUN.error)
                    .from(TOOL_RUN)
                    .where(TOOL_RUN.id.eq(run))
                    .fetchSingle(row -> row.value1() + " " + row.value2()));
  }

  private void awaitRecord(UUID run, String expected) {
    await().atMost(Duration.ofSeconds(30)).until(() -> read(run), expected::equals);
  }

  @Test
  void aRecordHasItsJobsStatus() {
    var run = requested(LINT, "src");
    awaitRecord(run, "running null");

    gate.release();

    awaitRecord(run, "succeeded null");
  }

  @Test
  void aRecordHasTheErrorOfItsJob() {
    var run = requested(LINT, "");
    gate.release();

    awaitRecord(run, "failed io.leasehold.jobs.PermanentFailure: nothing to lint");
  }

  @Test
  void aRecordTimesOutWithItsJob() {
    var run = requested(SLOW, "src");

    await().atMost(Duration.ofSeconds(30)).until(() -> read(run).startsWith("timed_out "));
  }

  @Test
  void aRunningJobThatIsCancelledCancelsTheRecord() {
    var run = requested(LINT, "src");
    awaitRecord(run, "running null");
    var job = UUID.fromString(jobOf(run));

    engine.jobs().cancel(caller, new JobId(job));

    await().atMost(Duration.ofSeconds(30)).until(() -> read(run).startsWith("cancelled "));
  }

  private static String jobOf(UUID run) {
    return ask(
        database, "SELECT id FROM leasehold.mirror_record WHERE record_id = '%s'".formatted(run));
  }

  @Test
  void inDirectModeTheRecordRunsAtOnce() {
    engine.close();
    engine = start(EngineConfig.defaults().mode(EngineConfig.Mode.DIRECT));

    var run = requested(LINT, "src");

    assertThat(read(run)).startsWith("running ");
    gate.release();
    awaitRecord(run, "succeeded null");
  }

  @Test
  void aBatchHasMirrors() {
    var first = inserted();
    var last = inserted();

    engine
        .batches()
        .submit(
            caller,
            List.of(LINT.request("src").mirroredBy(RUNS, first)).iterator(),
            LINT.request("src").mirroredBy(RUNS, last));

    awaitRecord(first, "running null");
    assertThat(read(last)).isEqualTo("queued null");
    gate.release(2);
    awaitRecord(last, "succeeded null");
  }

  private UUID inserted() {
    return engine
        .transactions()
        .asTenant(
            caller,
            tx -> {
              var id = UUID.randomUUID();
              tx.insert(TOOL_RUN).set(TOOL_RUN.id, id).set(TOOL_RUN.tool, "lint").execute();
              return id;
            });
  }

  /** The maintenance does it, within about a second. */
  @Test
  void aLockedRecordIsUpdatedSoonAfterTheLock() throws SQLException {
    var run = requested(LINT, "src");
    awaitRecord(run, "running null");
    try (var tenant = database.connectAs("leasehold_tenant");
        var statement = tenant.createStatement()) {
      tenant.setAutoCommit(false);
      database.enterTenant(tenant, caller.tenant().toString());
      statement.execute("SELECT id FROM acme.tool_run WHERE id = '%s' FOR UPDATE".formatted(run));
      gate.release();
      var ended = "SELECT count(*) FROM leasehold.outcome WHERE id = '%s'".formatted(jobOf(run));
      await().until(() -> ask(database, ended).equals("1"));
      assertThat(read(run)).isEqualTo("running null");
      tenant.rollback();
    }

    awaitRecord(run, "succeeded null");
  }

  @Test
  void whatIsRolledBackLeavesNoMirror() {
    var run = inserted();

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                engine
                    .transactions()
                    .asTenant(
                        caller,
                        tx -> {
                          engine.jobs().submit(tx, LINT.request("src").mirroredBy(RUNS, run));
                          throw new IllegalStateException("after all not");
                        }));

    assertThat(read(run)).isEqualTo("new null");
  }

  @Test
  void anotherTenantsRecordIsRefused() {
    var run = inserted();
    var other = SecurityContext.of("bob", new TenantId(UUID.randomUUID())).build();

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> engine.jobs().submit(other, LINT.request("src").mirroredBy(RUNS, run)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MIRROR_UNKNOWN));
    assertThat(read(run)).isEqualTo("new null");
  }

  @Test
  void jobsInMemoryAndSchedulesHaveNoMirror() {
    var run = UUID.randomUUID();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> IN_MEMORY.request("").mirroredBy(RUNS, run))
        .withMessageContaining("live in memory, and are mirrored by no record");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ScheduleRequest.of("nightly", "@daily", LINT.request("src").mirroredBy(RUNS, run)))
        .withMessageContaining("must have no mirror");
  }

  @Test
  void theDeclarationIsThatOfTheGuide() throws IOException {
    var guide = Files.readString(Path.of("../docs/guide/mirrors.md"));
    var script = Files.readString(Path.of("src/test/resources/io/leasehold/engine/tool_run.sql"));
    var sql = guide.substring(guide.indexOf("```sql\n") + 7);

    assertThat(script)
        .contains(sql.substring(0, sql.indexOf("\n\n")))
        .contains(sql.substring(sql.indexOf("SELECT leasehold.mirror("), sql.indexOf("\n```")));
  }
}
