package io.leasehold.engine;

import static io.leasehold.engine.TouchedJobs.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.TransactionOptions;
import io.leasehold.engine.maintenance.retention.Pruning;
import io.leasehold.engine.service.query.StoredJob;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A tenant's transaction has submitted, cancelled, retried and deleted jobs, and does not end: it
 * is left open, or its process is frozen. Meanwhile an engine works as it always does. What it
 * comes upon first is what the transaction holds; waiting for that would last ten seconds, and the
 * engine is given eight for each thing.
 */
class FrozenTenantTransactionTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext ANN = caller(1);
  private static final SecurityContext BOB = caller(2);
  private static final JobType<String, String> STAY = Handlers.type("stay");
  private static final StoredJob STORED = stored(ANN, Duration.ZERO);
  private static final JobType<String, String> REPORT =
      JobType.restartable(STORED.handlerId(), String.class, String.class).queue(STORED.queue());

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration DUE_IN = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofSeconds(8);
  private static final Duration OLD = Duration.ofDays(20);
  private static final Duration RETENTION = Duration.ofDays(14);

  /** Longer than a test. The usual minute would be the end of it on a busy machine. */
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Enough for what is done in the transaction, and soon over. */
  private static final Duration SHORT = Duration.ofSeconds(8);

  // Three slots for a queue's jobs, and nothing that is old is removed but by a test.
  private static final EngineConfig CONFIG =
      EngineConfig.defaults()
          .workerName("beside an open transaction")
          .concurrency(3)
          .lease(LEASE)
          .rescueEvery(Duration.ofMillis(500))
          .cancelGrace(Duration.ofMillis(100))
          .daysAhead(1)
          .retention(Duration.ofDays(3_650));

  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private Connection administrator;
  private RunningEngine engine;
  private JobId others;

  private static SecurityContext caller(int tenant) {
    return SecurityContext.of("ann", new TenantId(new UUID(0, tenant))).build();
  }

  private static StoredJob stored(SecurityContext caller, Duration ago) {
    return StoredJob.of(caller.tenant(), Instant.now().minus(ago)).queue("stored");
  }

  @BeforeEach
  void start() throws SQLException {
    administrator = database.connectAsAdministrator();
    JobHandler<String, String> atItsGate =
        (job, input) -> {
          gate(input).await();
          return input;
        };
    gate("open").countDown();
    engine =
        RunningEngine.on(
            database,
            CONFIG,
            new Handlers()
                .with(WORK, atItsGate)
                .with(STAY, atItsGate)
                .with(REPORT, (job, input) -> input));
    others = submit(BOB, WORK.request("others"));
  }

  @AfterEach
  void stop() throws SQLException {
    gates.values().forEach(CountDownLatch::countDown);
    engine.close();
    administrator.close();
  }

  private CountDownLatch gate(String input) {
    return gates.computeIfAbsent(input, _ -> new CountDownLatch(1));
  }

  @Test
  void anOpenTransactionStallsNoJob() throws Exception {
    var touched = jobsToTouch();
    var opened = new CompletableFuture<JobId>();
    var end = new CountDownLatch(1);
    try (var thread = Executors.newSingleThreadExecutor();
        Closeable _ = end::countDown) {
      var open = thread.submit(() -> touchAndWait(touched, opened, end));
      var submitted = opened.get();

      requireThatNobodyIsStalled(touched);
      end.countDown();

      open.get();
      requireItsEffects(touched, submitted);
    }
  }

  private @Nullable Object touchAndWait(
      TouchedJobs touched, CompletableFuture<JobId> opened, CountDownLatch end)
      throws InterruptedException {
    return engine
        .transactions()
        .asTenant(
            ANN,
            TransactionOptions.defaults().timeout(LONG),
            tx -> {
              try {
                opened.complete(touched.touch(engine.jobs(), tx));
              } catch (RuntimeException e) {
                opened.completeExceptionally(e);
              }
              end.await();
              return null;
            });
  }

  @Test
  void aFrozenTransactionStallsNoJobAndCommitsWhenItWakes() throws Exception {
    try (var process = processWithin(LONG)) {
      var touched = jobsToTouch();
      var submitted = open(process, touched);
      process.freeze();

      requireThatNobodyIsStalled(touched);
      process.wake();
      process.tell("commit");

      assertThat(process.nextLine()).isEqualTo("committed");
      requireItsEffects(touched, submitted);
    }
  }

  @Test
  void aFrozenTransactionStallsNoJobAndEndsWithItsProcess() throws Exception {
    try (var process = processWithin(LONG)) {
      var touched = jobsToTouch();
      var submitted = open(process, touched);
      process.freeze();

      requireThatNobodyIsStalled(touched);
      process.kill();

      requireNoEffects(touched, submitted);
    }
  }

  @Test
  void aFrozenTransactionEndsAtItsTimeLimit() throws Exception {
    try (var process = processWithin(SHORT)) {
      var touched = jobsToTouch();
      var submitted = open(process, touched);
      process.freeze();
      gate("ending").countDown();

      await()
          .atMost(SHORT.plus(SOON))
          .until(() -> !exists("pg_stat_activity WHERE state = 'idle in transaction'"));

      requireNoEffects(touched, submitted);
    }
  }

  private static ClientProcess processWithin(Duration limit) throws IOException {
    var process =
        ClientProcess.start(
            OpenTransactionMain.class,
            database.jdbcUrl(),
            ANN.tenant().toString(),
            Long.toString(limit.toMillis()));
    assertThat(process.nextLine()).isEqualTo("ready");
    return process;
  }

  private static JobId open(ClientProcess process, TouchedJobs touched) throws IOException {
    process.tell(touched.line());
    return JobId.of(process.nextLine());
  }

  // Three jobs take all slots of their queue, one of them another tenant's; others wait.
  private TouchedJobs jobsToTouch() throws SQLException {
    var ending = submit(ANN, WORK.request("ending"));
    var staying = submit(ANN, WORK.request("staying"));
    awaitStatus(ANN, ending, JobStatus.RUNNING);
    awaitStatus(ANN, staying, JobStatus.RUNNING);
    awaitStatus(BOB, others, JobStatus.RUNNING);
    execute("SELECT leasehold.prepare_days(-%1$d, -%1$d)".formatted(OLD.toDays()));
    return new TouchedJobs(
        submit(ANN, WORK.request("open")),
        submit(ANN, WORK.request("open").delay(DUE_IN)),
        ending,
        staying,
        stored(ANN, Duration.ZERO).status(JobStatus.RUNNING).in(administrator),
        endedLongAgo(ANN, JobStatus.FAILED),
        submit(ANN, WORK.request("open").delay(Duration.ofDays(1))),
        submit(ANN, WORK.request("open")),
        stored(ANN, Duration.ZERO).in(administrator));
  }

  private JobId endedLongAgo(SecurityContext caller, JobStatus status) throws SQLException {
    var id = stored(caller, OLD).status(status).in(administrator);
    execute(
        "UPDATE leasehold.outcome SET finished_at = now() - interval '%d days' WHERE id = '%s'"
            .formatted(OLD.toDays(), id));
    return id;
  }

  private void requireThatNobodyIsStalled(TouchedJobs touched) throws SQLException {
    // A running job whose end it asked for goes on, and can end.
    gate("ending").countDown();
    awaitStatus(ANN, touched.ending(), JobStatus.SUCCEEDED);
    lose(touched.lost());
    awaitStatus(ANN, touched.lost(), JobStatus.SUCCEEDED);

    for (var caller : List.of(ANN, BOB)) {
      requireThatJobsEnd(caller);
      requireThatJobsAreRemoved(caller);
    }
    requireRenewed(ANN, touched.staying());
    requireRenewed(BOB, others);

    // It is open all the while.
    assertThat(find(ANN, touched.dead()).status()).isEqualTo(JobStatus.FAILED);
    for (var id : List.of(touched.waiting(), touched.scheduled(), touched.unwanted())) {
      assertThat(find(ANN, id).status()).isEqualTo(JobStatus.QUEUED);
    }
  }

  // Behind, in the line for claims, the jobs that it cancelled and deleted; due after the one that
  // it cancelled; and lost while it holds others of the same worker.
  private void requireThatJobsEnd(SecurityContext caller) throws SQLException {
    var due = submit(caller, WORK.request("open").delay(DUE_IN));
    var lost = stored(caller, Duration.ZERO).status(JobStatus.RUNNING).in(administrator);
    lose(lost);
    awaitStatus(caller, submit(caller, WORK.request("open")), JobStatus.SUCCEEDED);
    awaitStatus(caller, lost, JobStatus.SUCCEEDED);
    awaitStatus(caller, due, JobStatus.SUCCEEDED);
    var cancelled = submit(caller, STAY.request("for ever"));
    awaitStatus(caller, cancelled, JobStatus.RUNNING);
    engine.jobs().cancel(caller, cancelled);
    awaitStatus(caller, cancelled, JobStatus.CANCELLED);
  }

  private void requireThatJobsAreRemoved(SecurityContext caller) throws SQLException {
    var unwanted = submit(caller, STAY.request("for ever"));
    var old = endedLongAgo(caller, JobStatus.SUCCEEDED);
    awaitStatus(caller, unwanted, JobStatus.RUNNING);
    engine.jobs().forceDelete(caller, unwanted);
    await().atMost(SOON).until(() -> engine.jobs().find(caller, unwanted).isEmpty());
    var begin = System.nanoTime();
    Pruning.prune(engine.transactions(), RETENTION);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
    assertThat(engine.jobs().find(caller, old)).isEmpty();
  }

  private void requireRenewed(SecurityContext caller, JobId id) {
    await()
        .atMost(SOON)
        .until(
            () ->
                exists(
                    "leasehold.lease WHERE id = '%s' AND locked_until > now()".formatted(id)
                        + " AND attempt_started_at < now() - interval '%d ms'"
                            .formatted(LEASE.toMillis())));
    assertThat(find(caller, id).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(find(caller, id).attempts()).isEqualTo(1);
  }

  private void requireItsEffects(TouchedJobs touched, JobId submitted) {
    for (var id : List.of(touched.waiting(), touched.scheduled())) {
      awaitStatus(ANN, id, JobStatus.CANCELLED);
      assertThat(find(ANN, id).startedAt()).isEmpty();
    }
    awaitStatus(ANN, touched.staying(), JobStatus.CANCELLED);
    for (var id : List.of(submitted, touched.dead(), touched.later())) {
      awaitStatus(ANN, id, JobStatus.SUCCEEDED);
    }
    for (var id : List.of(touched.unwanted(), touched.done())) {
      assertThat(engine.jobs().find(ANN, id)).isEmpty();
    }
    requireUndisturbed();
  }

  private void requireNoEffects(TouchedJobs touched, JobId submitted) {
    for (var id : List.of(touched.waiting(), touched.unwanted(), touched.scheduled())) {
      awaitStatus(ANN, id, JobStatus.SUCCEEDED);
    }
    gate("staying").countDown();
    awaitStatus(ANN, touched.staying(), JobStatus.SUCCEEDED);
    assertThat(find(ANN, touched.staying()).attempts()).isEqualTo(1);
    assertThat(find(ANN, touched.dead()).status()).isEqualTo(JobStatus.FAILED);
    assertThat(find(ANN, touched.later()).status()).isEqualTo(JobStatus.QUEUED);
    assertThat(find(ANN, touched.done()).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(engine.jobs().find(ANN, submitted)).isEmpty();
    requireUndisturbed();
  }

  // The other tenant's job has run all the while, in one attempt.
  private void requireUndisturbed() {
    gate("others").countDown();
    awaitStatus(BOB, others, JobStatus.SUCCEEDED);
    assertThat(find(BOB, others).attempts()).isEqualTo(1);
  }

  private void lose(JobId id) throws SQLException {
    execute(
        "UPDATE leasehold.lease SET locked_until = now() - interval '1 s' WHERE id = '%s'"
            .formatted(id));
  }

  private JobId submit(SecurityContext caller, JobRequest<?, ?> request) {
    return engine.jobs().submit(caller, request).jobId();
  }

  private Job find(SecurityContext caller, JobId id) {
    return engine.jobs().find(caller, id).orElseThrow();
  }

  private void awaitStatus(SecurityContext caller, JobId id, JobStatus status) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(find(caller, id).status()).isEqualTo(status));
  }

  private boolean exists(String from) throws SQLException {
    try (var statement = administrator.createStatement();
        var rows = statement.executeQuery("SELECT FROM " + from)) {
      return rows.next();
    }
  }

  private void execute(String sql) throws SQLException {
    try (var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }
}
