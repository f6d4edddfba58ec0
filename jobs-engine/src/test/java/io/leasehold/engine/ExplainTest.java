package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.ExponentialBackoff;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.Explanation.Reason;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** For each reason a job that is where it is for this reason, and no other. */
class ExplainTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration HOUR = Duration.ofHours(1);
  private static final EngineConfig ONE_AT_ONCE =
      EngineConfig.defaults().concurrency(1).cancelGrace(HOUR).rescueEvery(HOUR);

  private static final SecurityContext FIRST = tenant(1);
  private static final SecurityContext SECOND = tenant(2);
  private static final SecurityContext THIRD = tenant(3);

  private final Semaphore gate = new Semaphore(0);
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private RunningEngine engine;

  private static SecurityContext tenant(int n) {
    return SecurityContext.of("ann", new TenantId(new UUID(1, n))).build();
  }

  private static JobType<String, String> type(String name) {
    return Handlers.type(name).retry(new ExponentialBackoff(3, HOUR, HOUR, 0));
  }

  /** Tells that it began, and waits until it is let go. */
  private String waitAtTheGate(String input) {
    begun.add(input);
    gate.acquireUninterruptibly();
    return input;
  }

  /** Starts an engine, and waits until its worker has signed in. */
  private static RunningEngine start(
      EngineConfig config, JobType<String, String> type, JobHandler<String, String> handler) {
    var started = RunningEngine.on(database, config, new Handlers().with(type, handler));
    await()
        .until(
            () ->
                started.catalogue().handlers(FIRST).stream()
                    .anyMatch(
                        registered ->
                            registered.isLive() && registered.id().equals(type.handler())));
    return started;
  }

  private static RunningEngine start(String name, JobHandler<String, String> handler) {
    return start(ONE_AT_ONCE, type(name), handler);
  }

  @BeforeEach
  void start() {
    engine = start("gate", (job, input) -> waitAtTheGate(input));
  }

  @AfterEach
  void close() throws SQLException {
    gate.release(1_000);
    engine.close();
    execute(
        "TRUNCATE leasehold.ready, leasehold.scheduled, leasehold.lease, leasehold.handler,"
            + " leasehold.queue, leasehold.tenant_queue, leasehold.worker");
  }

  private static void execute(String sql) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }

  private JobId submit(SecurityContext caller, String name, String input) {
    return engine.jobs().submit(caller, type(name).request(input)).jobId();
  }

  /** Submits a job that takes the only slot. */
  private JobId occupy(SecurityContext caller) {
    var id = submit(caller, "gate", "occupant");
    await().until(() -> begun.contains("occupant"));
    return id;
  }

  private Explanation explain(SecurityContext caller, JobId id) {
    return engine.jobs().explain(caller, id).orElseThrow();
  }

  private Reason reason(SecurityContext caller, JobId id) {
    return explain(caller, id).reason();
  }

  private Explanation awaitReason(JobId id, Reason reason) {
    return await().until(() -> explain(FIRST, id), explanation -> explanation.reason() == reason);
  }

  @Test
  void saysThatTheJobHasEnded() {
    gate.release();
    var id = occupy(FIRST);

    var explanation = awaitReason(id, Reason.OVER);

    assertThat(explanation.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(explanation.sentence()).isEqualTo("the job is over: it is succeeded");
  }

  @Test
  void saysThatTheJobIsRunning() {
    var id = occupy(FIRST);

    assertThat(explain(FIRST, id).reason()).isEqualTo(Reason.RUNNING);
    assertThat(explain(FIRST, id).status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void saysThatACancelWasRequested() {
    var id = occupy(FIRST);

    engine.jobs().cancel(FIRST, id);

    assertThat(reason(FIRST, id)).isEqualTo(Reason.CANCEL_REQUESTED);
  }

  @Test
  void saysThatTheWorkerIsLost() throws SQLException {
    var id = occupy(FIRST);

    execute("UPDATE leasehold.lease SET locked_until = now() - interval '1 s'");

    assertThat(reason(FIRST, id)).isEqualTo(Reason.WORKER_LOST);
  }

  @Test
  void saysThatTheQueueIsPaused() {
    engine.queues().pause("gate", "bob");
    var id = submit(FIRST, "gate", "x");
    var later = engine.jobs().submit(FIRST, type("gate").request("x").delay(HOUR)).jobId();

    assertThat(reason(FIRST, id)).isEqualTo(Reason.QUEUE_PAUSED);
    assertThat(reason(FIRST, later)).isEqualTo(Reason.QUEUE_PAUSED);

    engine.queues().resume("gate");
    awaitReason(id, Reason.RUNNING);
  }

  @Test
  void saysThatTheTenantIsPaused() {
    engine.queues().pause("gate", FIRST.tenant(), "bob");
    var id = submit(FIRST, "gate", "x");

    assertThat(reason(FIRST, id)).isEqualTo(Reason.TENANT_PAUSED);
    assertThat(explain(FIRST, id).toString()).doesNotContain("bob");

    engine.queues().resume("gate", FIRST.tenant());
    awaitReason(id, Reason.RUNNING);
  }

  @Test
  void saysThatTheJobIsNotDue() {
    var id = engine.jobs().submit(FIRST, type("gate").request("x").delay(HOUR)).jobId();

    var explanation = explain(FIRST, id);

    assertThat(explanation.reason()).isEqualTo(Reason.NOT_DUE);
    assertThat(explanation.until())
        .isEqualTo(engine.jobs().find(FIRST, id).orElseThrow().availableAt());
    assertThat(explanation.sentence())
        .contains(", not before " + explanation.until().orElseThrow());
  }

  @Test
  void saysThatTheJobWaitsForARetry() {
    engine.close();
    engine =
        start(
            "gate",
            (job, input) -> {
              throw new IllegalStateException("no");
            });
    var id = submit(FIRST, "gate", "x");

    var explanation = awaitReason(id, Reason.WAITS_FOR_RETRY);

    assertThat(explanation.until())
        .isEqualTo(engine.jobs().find(FIRST, id).orElseThrow().availableAt());
  }

  @Test
  void saysThatTheHandlerPutTheJobOff() {
    engine.close();
    engine =
        start(
            "gate",
            (job, input) -> {
              throw new JobsException(ErrorCode.POOL_EXHAUSTED, "no connection");
            });
    var id = submit(FIRST, "gate", "x");

    assertThat(awaitReason(id, Reason.PUT_OFF).until()).isPresent();
  }

  @Test
  void saysThatTheHandlerIsUnknown() {
    var nowhere = submit(FIRST, "unknown", "x");
    var unknown = type("unknown").queue("gate").request("x");
    var amongOthers = engine.jobs().submit(FIRST, unknown).jobId();

    // All the time: before it is claimed, while it is, and when it was put aside.
    while (!isPutAside(amongOthers)) {
      assertThat(reason(FIRST, amongOthers)).isEqualTo(Reason.UNKNOWN_HANDLER);
    }
    assertThat(reason(FIRST, amongOthers)).isEqualTo(Reason.UNKNOWN_HANDLER);
    assertThat(reason(FIRST, nowhere)).isEqualTo(Reason.UNKNOWN_HANDLER);
  }

  private boolean isPutAside(JobId id) {
    var job = engine.jobs().find(FIRST, id).orElseThrow();
    return job.availableAt().filter(at -> at.isAfter(job.createdAt().plusSeconds(5))).isPresent();
  }

  @Test
  void saysThatNoWorkerHasTheHandlerNow() {
    start("former", (job, input) -> input).close();
    var id = submit(FIRST, "former", "x");

    assertThat(reason(FIRST, id)).isEqualTo(Reason.NO_WORKER);
  }

  @Test
  void saysThatNoWorkerWithTheHandlerServesTheQueue() {
    var id = engine.jobs().submit(FIRST, type("gate").queue("elsewhere").request("x")).jobId();

    await().untilAsserted(() -> assertThat(reason(FIRST, id)).isEqualTo(Reason.NO_WORKER));
  }

  @Test
  void aSilentWorkerDoesNotCount() throws SQLException {
    execute(
        "INSERT INTO leasehold.handler VALUES ('%s', 'silent', now())"
            .formatted(type("silent").handler()));
    execute(
        """
        INSERT INTO leasehold.worker VALUES (gen_random_uuid(), 'host 7', '1', '{silent}', 1,
          now(), now() - interval '1 min', false, ARRAY['%s'], '{1}')\
        """
            .formatted(type("silent").handler()));
    var id = submit(FIRST, "silent", "x");

    assertThat(reason(FIRST, id)).isEqualTo(Reason.NO_WORKER);
  }

  @Test
  void saysThatAWorkerWithoutTheHandlerClaimedTheJob() {
    var id = engine.jobs().submit(FIRST, type("late").queue("gate").request("x")).jobId();
    await().until(() -> isPutAside(id));

    try (var _ = start(ONE_AT_ONCE, type("late").queue("gate"), (job, input) -> input)) {
      assertThat(awaitReason(id, Reason.ASIDE).until()).isPresent();
    }
  }

  @Test
  void saysThatAllSlotsAreTaken() {
    occupy(FIRST);
    var next = submit(FIRST, "gate", "x");
    var last = submit(FIRST, "gate", "x");
    var urgent = engine.jobs().submit(FIRST, type("gate").request("x").priority(5)).jobId();

    assertThat(reason(FIRST, urgent)).isEqualTo(Reason.SLOTS_FULL);
    assertThat(explain(FIRST, urgent).ownBefore()).isZero();
    assertThat(explain(FIRST, next).ownBefore()).isEqualTo(1);
    assertThat(explain(FIRST, last).ownBefore()).isEqualTo(2);
    assertThat(explain(FIRST, last).sentence())
        .isEqualTo(
            "all workers of the queue gate are busy; 2 of the tenant's own jobs go before it");
  }

  @Test
  void saysThatAnotherTenantComesFirst() {
    occupy(FIRST);
    var again = submit(FIRST, "gate", "first again");
    var second = submit(SECOND, "gate", "second");
    var third = submit(THIRD, "gate", "third");

    assertThat(reason(SECOND, second)).isEqualTo(Reason.SLOTS_FULL);
    assertThat(reason(THIRD, third)).isEqualTo(Reason.TURN_NOT_COME);
    assertThat(reason(FIRST, again)).isEqualTo(Reason.TURN_NOT_COME);
    assertThat(explain(THIRD, third).ownBefore()).isZero();

    engine.queues().weigh("gate", THIRD.tenant(), 1); // Makes workers read the lanes again.
    // One after the other: behind jobs that end at once, others are claimed together.
    for (int ended = 1; ended <= 3; ended++) {
      var now = ended + 1;
      gate.release();
      await().until(() -> begun.size() == now);
    }
    assertThat(begun).containsExactly("occupant", "second", "third", "first again");
  }

  @Test
  void aTenantThatIsPausedDoesNotComeFirst() {
    occupy(FIRST);
    submit(SECOND, "gate", "second");
    var third = submit(THIRD, "gate", "third");

    engine.queues().pause("gate", SECOND.tenant(), "bob");

    assertThat(reason(THIRD, third)).isEqualTo(Reason.SLOTS_FULL);
  }

  @Test
  void anExpiredLeaseTakesNoSlot() throws SQLException {
    occupy(FIRST);
    var next = submit(FIRST, "gate", "x");
    assertThat(reason(FIRST, next)).isEqualTo(Reason.SLOTS_FULL);

    execute("UPDATE leasehold.lease SET locked_until = now() - interval '1 s'");

    assertThat(reason(FIRST, next)).isEqualTo(Reason.ABOUT_TO_START);
  }

  @Test
  void saysThatTheJobIsAboutToStart() throws SQLException {
    engine.close();
    var patient = ONE_AT_ONCE.pollEvery(Duration.ofMinutes(1));
    engine = start(patient, type("gate"), (job, input) -> waitAtTheGate(input));
    engine.queues().pause("gate", "bob");
    var id = submit(FIRST, "gate", "x");

    // Without a notification.
    execute("UPDATE leasehold.queue SET paused_at = NULL, paused_by = NULL");

    assertThat(reason(FIRST, id)).isEqualTo(Reason.ABOUT_TO_START);
  }

  @Test
  void anyReaderOfTheJobGetsTheExplanation() {
    engine.queues().pause("gate", SECOND.tenant(), "bob");
    var id = submit(SECOND, "gate", "x");
    var reader = SecurityContext.of("eve", FIRST.tenant()).reading(Set.of(SECOND.tenant())).build();

    assertThat(engine.jobs().explain(FIRST, id)).isEmpty();
    assertThat(reason(reader, id)).isEqualTo(Reason.TENANT_PAUSED);
  }
}
