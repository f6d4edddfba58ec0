package io.leasehold.engine;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.Entry.ENTRY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.spi.JobInterceptor;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TcpProxy.Cut;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How an attempt ends whose interceptor throws, or has a transaction of its own around the handler.
 */
class InterceptedAttemptsTest {

  @RegisterExtension
  static final TestDatabase database = new TestDatabase("/io/leasehold/engine/entries.sql");

  private static final Duration BACKOFF = Duration.ofMillis(300);
  private static final RetryPolicy POLICY = new Backoff();
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private static final JobType<String, String> PLAIN = Handlers.type("plain").retry(POLICY);
  private static final JobType<String, String> IN_TX = Handlers.type("in_tx").retry(POLICY);
  private static final JobType<String, String> NEXT = Handlers.type("next");
  private static final JobType<String, String> CALLBACK = Handlers.type("callback");
  private static final JobType<String, String> NOTED = Handlers.type("noted");
  private static final JobType<String, String> PLAIN_IN_MEMORY = inMemory("plain_in_memory");
  private static final JobType<String, String> IN_TX_IN_MEMORY = inMemory("in_tx_in_memory");

  /** The same pause each time. */
  private static final class Backoff implements RetryPolicy {

    @Override
    public int maxAttempts() {
      return 2;
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      return BACKOFF;
    }
  }

  /** What the interceptor opens around the handler; a savepoint is in a transaction. */
  enum Around {
    NOTHING,
    A_TRANSACTION,
    A_SAVEPOINT
  }

  /** What the handler is. */
  enum Kind {
    PLAIN,
    TRANSACTIONAL;

    private JobType<String, String> stored() {
      return this == PLAIN ? InterceptedAttemptsTest.PLAIN : IN_TX;
    }

    private JobType<String, String> inMemory() {
      return this == PLAIN ? PLAIN_IN_MEMORY : IN_TX_IN_MEMORY;
    }
  }

  /** What goes wrong in the first attempt. */
  enum Fault {
    NONE,
    THROWS_BEFORE,
    HOOK_BEFORE,
    THROWS_INSIDE,
    HOOK_AFTER,
    THROWS_AFTER,
    THROWS_AT_LAST,
    COMMIT_FAILS,
    COMMIT_IS_LOST,
    ANSWER_IS_LOST,
    HANGS_AFTER
  }

  /**
   * What happens in the first attempt, and what is left of a job that has no other.
   *
   * @param entries how many entries of the handler's are committed
   * @param runs how often the handler ran
   * @param failuresTold how often the handler was told of its failure
   * @param error a part of what the job's owner reads
   */
  record Row(
      Around around,
      Kind kind,
      Fault fault,
      JobStatus status,
      int entries,
      int runs,
      int failuresTold,
      String error) {

    private static Row of(String line) {
      var words = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
      return new Row(
          Around.valueOf(words.get(0)),
          Kind.valueOf(words.get(1)),
          Fault.valueOf(words.get(2)),
          JobStatus.valueOf(words.get(3)),
          Integer.parseInt(words.get(4)),
          Integer.parseInt(words.get(5)),
          Integer.parseInt(words.get(6)),
          words.get(7));
    }

    private boolean isLost() {
      return fault == Fault.COMMIT_IS_LOST || fault == Fault.ANSWER_IS_LOST;
    }

    @Override
    public String toString() {
      return "%s, %s, %s".formatted(around, kind, fault);
    }
  }

  // A job whose connection breaks at each commit is put back nine times without an attempt counted.
  private static final String ROWS =
      """
      NOTHING       | PLAIN         | NONE           | SUCCEEDED | 1 | 1 | 0 |
      NOTHING       | PLAIN         | THROWS_BEFORE  | FAILED    | 0 | 0 | 0 | thrown: THROWS_BEFORE
      NOTHING       | PLAIN         | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      NOTHING       | PLAIN         | THROWS_AFTER   | FAILED    | 1 | 1 | 1 | thrown: THROWS_AFTER
      NOTHING       | PLAIN         | COMMIT_FAILS   | FAILED    | 0 | 1 | 1 | entry_follows_another
      NOTHING       | PLAIN         | COMMIT_IS_LOST | FAILED    | 0 | 1 | 0 | the connection broke
      NOTHING       | PLAIN         | ANSWER_IS_LOST | FAILED    | 1 | 1 | 0 | the connection broke
      NOTHING       | TRANSACTIONAL | NONE           | SUCCEEDED | 1 | 1 | 0 |
      NOTHING       | TRANSACTIONAL | THROWS_BEFORE  | FAILED    | 0 | 0 | 0 | thrown: THROWS_BEFORE
      NOTHING       | TRANSACTIONAL | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      NOTHING       | TRANSACTIONAL | THROWS_AFTER   | SUCCEEDED | 1 | 1 | 0 |
      NOTHING       | TRANSACTIONAL | COMMIT_FAILS   | FAILED    | 0 | 1 | 1 | entry_follows_another
      NOTHING       | TRANSACTIONAL | COMMIT_IS_LOST | FAILED    | 0 | 10 | 1 | the connection broke
      NOTHING       | TRANSACTIONAL | ANSWER_IS_LOST | SUCCEEDED | 1 | 1 | 0 |
      NOTHING       | TRANSACTIONAL | HOOK_BEFORE | FAILED | 0 | 0 | 0 | thrown: HOOK_BEFORE
      NOTHING       | TRANSACTIONAL | HOOK_AFTER  | FAILED | 0 | 1 | 1 | thrown: HOOK_AFTER
      A_TRANSACTION | PLAIN         | NONE           | SUCCEEDED | 1 | 1 | 0 |
      A_TRANSACTION | PLAIN         | THROWS_BEFORE  | FAILED    | 0 | 0 | 0 | thrown: THROWS_BEFORE
      A_TRANSACTION | PLAIN         | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      A_TRANSACTION | PLAIN         | THROWS_AFTER   | FAILED    | 0 | 1 | 1 | thrown: THROWS_AFTER
      A_TRANSACTION | PLAIN         | THROWS_AT_LAST | FAILED | 1 | 1 | 1 | thrown: THROWS_AT_LAST
      A_TRANSACTION | PLAIN         | COMMIT_FAILS   | FAILED    | 0 | 1 | 1 | entry_follows_another
      A_TRANSACTION | PLAIN         | COMMIT_IS_LOST | FAILED    | 0 | 1 | 0 | the connection broke
      A_TRANSACTION | PLAIN         | ANSWER_IS_LOST | FAILED    | 1 | 1 | 0 | the connection broke
      A_TRANSACTION | TRANSACTIONAL | NONE           | SUCCEEDED | 1 | 1 | 0 |
      A_TRANSACTION | TRANSACTIONAL | THROWS_BEFORE  | FAILED    | 0 | 0 | 0 | thrown: THROWS_BEFORE
      A_TRANSACTION | TRANSACTIONAL | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      A_TRANSACTION | TRANSACTIONAL | THROWS_AFTER   | FAILED    | 0 | 1 | 1 | thrown: THROWS_AFTER
      A_TRANSACTION | TRANSACTIONAL | THROWS_AT_LAST | SUCCEEDED | 1 | 1 | 0 |
      A_TRANSACTION | TRANSACTIONAL | COMMIT_FAILS   | FAILED    | 0 | 1 | 1 | entry_follows_another
      A_TRANSACTION | TRANSACTIONAL | COMMIT_IS_LOST | FAILED    | 0 | 10 | 1 | the connection broke
      A_TRANSACTION | TRANSACTIONAL | ANSWER_IS_LOST | SUCCEEDED | 1 | 1 | 0 |
      A_TRANSACTION | TRANSACTIONAL | HOOK_BEFORE | FAILED | 0 | 0 | 0 | thrown: HOOK_BEFORE
      A_TRANSACTION | TRANSACTIONAL | HOOK_AFTER  | FAILED | 0 | 1 | 1 | thrown: HOOK_AFTER
      A_SAVEPOINT   | TRANSACTIONAL | HOOK_BEFORE | FAILED | 0 | 0 | 0 | thrown: HOOK_BEFORE
      A_SAVEPOINT   | TRANSACTIONAL | HOOK_AFTER  | FAILED | 0 | 1 | 1 | thrown: HOOK_AFTER
      A_SAVEPOINT   | TRANSACTIONAL | NONE           | SUCCEEDED | 1 | 1 | 0 |
      A_SAVEPOINT   | TRANSACTIONAL | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      A_SAVEPOINT   | TRANSACTIONAL | THROWS_AFTER   | FAILED    | 0 | 1 | 1 | thrown: THROWS_AFTER
      """;

  private static final String SWALLOWED_ROWS =
      """
      NOTHING       | PLAIN         | THROWS_BEFORE  | FAILED    | 0 | 0 | 0 | did not let the handler run
      NOTHING       | PLAIN         | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      NOTHING       | PLAIN         | THROWS_AFTER   | SUCCEEDED | 1 | 1 | 0 |
      NOTHING       | PLAIN         | COMMIT_FAILS   | FAILED    | 0 | 1 | 1 | entry_follows_another
      NOTHING       | TRANSACTIONAL | HOOK_BEFORE | FAILED | 0 | 0 | 0 | thrown: HOOK_BEFORE
      NOTHING       | TRANSACTIONAL | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      NOTHING       | TRANSACTIONAL | HOOK_AFTER  | FAILED | 0 | 1 | 1 | thrown: HOOK_AFTER
      NOTHING       | TRANSACTIONAL | THROWS_AFTER   | SUCCEEDED | 1 | 1 | 0 |
      NOTHING       | TRANSACTIONAL | COMMIT_IS_LOST | FAILED    | 0 | 10 | 1 | the connection broke
      NOTHING       | TRANSACTIONAL | ANSWER_IS_LOST | SUCCEEDED | 1 | 1 | 0 |
      A_TRANSACTION | TRANSACTIONAL | HOOK_BEFORE | FAILED | 0 | 0 | 0 | thrown: HOOK_BEFORE
      A_TRANSACTION | TRANSACTIONAL | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      A_TRANSACTION | TRANSACTIONAL | HOOK_AFTER  | FAILED | 0 | 1 | 1 | thrown: HOOK_AFTER
      A_TRANSACTION | TRANSACTIONAL | THROWS_AFTER   | FAILED    | 0 | 1 | 1 | was rolled back
      A_TRANSACTION | TRANSACTIONAL | COMMIT_FAILS   | FAILED    | 0 | 1 | 1 | was rolled back
      A_TRANSACTION | TRANSACTIONAL | COMMIT_IS_LOST | FAILED    | 0 | 1 | 1 | was rolled back
      A_TRANSACTION | TRANSACTIONAL | ANSWER_IS_LOST | SUCCEEDED | 1 | 1 | 0 |
      A_SAVEPOINT   | TRANSACTIONAL | HOOK_BEFORE | FAILED | 0 | 0 | 0 | thrown: HOOK_BEFORE
      A_SAVEPOINT   | TRANSACTIONAL | THROWS_INSIDE  | FAILED    | 0 | 1 | 1 | thrown: THROWS_INSIDE
      A_SAVEPOINT   | TRANSACTIONAL | HOOK_AFTER  | FAILED | 0 | 1 | 1 | thrown: HOOK_AFTER
      A_SAVEPOINT   | TRANSACTIONAL | THROWS_AFTER   | FAILED    | 0 | 1 | 1 | was rolled back
      """;

  private static final List<String> ran = new CopyOnWriteArrayList<>();
  private static final List<String> told = new CopyOnWriteArrayList<>();
  private static final Semaphore hanging = new Semaphore(0);
  private static final Metered meters = new Metered();
  private static TcpProxy proxy;
  private static RunningEngine engine;

  private static JobType<String, String> inMemory(String name) {
    return JobType.inMemory(
            "gts.x.core.jobs.handler.v1~acme.tests.engine.%s.v1".formatted(name),
            String.class,
            String.class)
        .retry(POLICY);
  }

  /** A job of a test; its name is its input, and marks what it leaves behind. */
  private record Case(String name, JobRequest<String, String> request) {

    private static Case of(JobType<String, String> type, Row row) {
      var name = UUID.randomUUID().toString();
      return new Case(
          name,
          type.request(name)
              .key(name)
              .metadata("name", name)
              .metadata("around", row.around().name())
              .metadata("fault", row.fault().name()));
    }

    private Case maxAttempts(int attempts) {
      return new Case(name, request.maxAttempts(attempts));
    }

    private Case soonOverTime() {
      return new Case(name, request.timeout(Duration.ofMillis(100)));
    }

    private Case swallowed() {
      return new Case(name, request.metadata("swallowed", "yes"));
    }

    private int runs() {
      return Collections.frequency(ran, name);
    }

    private int failuresTold() {
      return Collections.frequency(told, name);
    }

    private int entries() {
      return number("SELECT count(*) FROM ledger.entry WHERE name = '%s'".formatted(name));
    }

    /** The entries whose transaction had the setting of the hook. */
    private int entriesWithAuthor() {
      return number(
          "SELECT count(*) FROM ledger.entry WHERE name = '%s' AND author = name".formatted(name));
    }

    /** The jobs that the hook submitted in transactions that are committed. */
    private int noted() {
      return number(
          "SELECT count(*) FROM leasehold.job WHERE handler_id = '%s' AND input::text = '\"%s\"'"
              .formatted(NOTED.handler(), name));
    }
  }

  private static Fault fault(JobContext job) {
    var fault = Fault.valueOf(job.metadata().getOrDefault("fault", Fault.NONE.name()));
    return job.attempt() == 1 ? fault : Fault.NONE;
  }

  private static void throwIf(JobContext job, Fault fault) {
    if (fault(job) == fault) {
      throw new IllegalStateException("thrown: " + fault);
    }
  }

  /** Throws at the moment that a job asks for, in a transaction of its own if the job asks so. */
  private static final class Faulty implements JobInterceptor {

    @Override
    public @Nullable Object running(JobContext job, Execution execution) throws Exception {
      try {
        return around(job, execution);
      } catch (Exception e) {
        if (job.metadata().containsKey("swallowed")) {
          return "as if nothing had happened";
        }
        throw e;
      }
    }

    private static @Nullable Object around(JobContext job, Execution execution) throws Exception {
      var around = Around.valueOf(job.metadata().getOrDefault("around", Around.NOTHING.name()));
      var output =
          around == Around.NOTHING
              ? beforeAndAfter(job, execution)
              : engine
                  .transactions()
                  .<@Nullable Object, Exception>asTenant(
                      job.caller(),
                      tx ->
                          around == Around.A_SAVEPOINT
                              ? inSavepoint(tx, job, execution)
                              : beforeAndAfter(job, execution));
      throwIf(job, Fault.THROWS_AT_LAST);
      return output;
    }

    // What is undone is only the part; the transaction commits if the failure is swallowed.
    private static @Nullable Object inSavepoint(
        ScopedTransaction tx, JobContext job, Execution execution) throws Exception {
      try {
        return tx.<@Nullable Object, Exception>savepoint(_ -> beforeAndAfter(job, execution));
      } catch (IllegalStateException e) {
        if (job.metadata().containsKey("swallowed")) {
          return "as if nothing had happened";
        }
        throw e;
      }
    }

    private static @Nullable Object beforeAndAfter(JobContext job, Execution execution)
        throws Exception {
      throwIf(job, Fault.THROWS_BEFORE);
      var output = execution.proceed();
      throwIf(job, Fault.THROWS_AFTER);
      if (fault(job) == Fault.HANGS_AFTER) {
        hanging.acquireUninterruptibly();
      }
      return output;
    }
  }

  /**
   * Runs in the handler's transaction: sets a setting, submits a job, and throws at the moment that
   * the job asks for.
   */
  private static final class Hook implements TransactionalJobInterceptor {

    @Override
    public void before(ScopedTransaction tx, JobContext job) {
      var name = job.metadata("name", String.class).orElseThrow();
      tx.localSetting("ledger.author", name);
      engine.jobs().submit(tx, NOTED.request(name));
      throwIf(job, Fault.HOOK_BEFORE);
    }

    @Override
    public void after(ScopedTransaction tx, JobContext job, @Nullable Object output) {
      throwIf(job, Fault.HOOK_AFTER);
    }
  }

  // The last that happens in the handler's transaction, or in the one that it joined.
  private static void work(ScopedTransaction tx, JobContext job, String name) {
    ran.add(name);
    if (fault(job) == Fault.COMMIT_FAILS) {
      ENTRY.insertWhatCannotCommit(tx, name);
    } else {
      ENTRY.insert(tx, name);
    }
    throwIf(job, Fault.THROWS_INSIDE);
    switch (fault(job)) {
      case COMMIT_IS_LOST -> proxy.cutNextCommit(Cut.BEFORE_THE_SERVER_HEARS);
      case ANSWER_IS_LOST -> proxy.cutNextCommit(Cut.BEFORE_THE_SERVER_IS_HEARD);
      default -> {}
    }
  }

  /** Works in a transaction of its own, or in the one that its interceptor opened. */
  private static final class Plain implements JobHandler<String, String> {

    @Override
    public String run(JobContext job, String name) {
      return engine
          .transactions()
          .asTenant(
              job.caller(),
              tx -> {
                work(tx, job, name);
                return name;
              });
    }

    @Override
    public void onFailure(JobContext job, String name, Throwable failure) {
      told.add(name);
    }
  }

  private static final class InTransaction implements TransactionalJobHandler<String, String> {

    @Override
    public String run(ScopedTransaction tx, JobContext job, String name) {
      work(tx, job, name);
      return name;
    }

    @Override
    public void onFailure(ScopedTransaction tx, JobContext job, String name, Throwable failure) {
      told.add(name);
    }
  }

  private static final class Tables extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(ENTRY).setting("ledger.author");
    }
  }

  @BeforeAll
  static void start() throws IOException {
    proxy = TcpProxy.before(database.jdbcUrl());
    engine =
        RunningEngine.on(
            // A commit is sent as text then, which the proxy can tell from the rest.
            RunningEngine.at(proxy.jdbcUrl() + "&prepareThreshold=0").build(),
            EngineConfig.defaults().lease(Duration.ofSeconds(30)),
            meters,
            new Tables(),
            new Handlers()
                .with(PLAIN, new Plain())
                .inTransaction(IN_TX, new InTransaction())
                .with(PLAIN_IN_MEMORY, new Plain())
                .inTransaction(IN_TX_IN_MEMORY, new InTransaction())
                .with(NEXT, (job, name) -> note("next", name))
                .with(CALLBACK, (job, name) -> note("callback", name))
                .with(NOTED, (job, name) -> name)
                .around(new Faulty())
                .inTransactions(new Hook()));
  }

  @AfterAll
  static void stop() throws IOException {
    engine.close();
    proxy.close();
  }

  private static String note(String what, String name) {
    ran.add(what + name);
    return name;
  }

  static Stream<Row> rows() {
    return ROWS.lines().map(Row::of);
  }

  static Stream<Row> swallowedRows() {
    return SWALLOWED_ROWS.lines().map(Row::of);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aJobOfOneAttemptEndsOnce(Row row) {
    var one = Case.of(row.kind().stored(), row).maxAttempts(1);

    var job = submittedWithDependents(one);

    assertEnd(job.id(), row.status(), 1, row.error());
    assertLeft(one, row);
    assertDependentsReleasedOnce(one, job, row.status());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aFailedAttemptIsCountedAndRetriedAfterItsBackoff(Row row) {
    var more = row.status() == JobStatus.FAILED ? 1 : 0;
    var one = Case.of(row.kind().stored(), row).maxAttempts(2);

    var job = submittedWithDependents(one);

    assertEnd(job.id(), JobStatus.SUCCEEDED, 1 + more, "");
    assertThat(one.entries()).isEqualTo(row.entries() + more);
    assertThat(one.runs()).isEqualTo(row.runs() + more);
    assertThat(one.failuresTold()).isZero();
    assertHookIsCommittedWithTheHandler(one, row, row.entries() + more);
    assertThat(formerAttempts(job.id()))
        .isEqualTo(more == 1 ? "failed after %d ms".formatted(BACKOFF.toMillis()) : "");
    assertDependentsReleasedOnce(one, job, JobStatus.SUCCEEDED);
  }

  /** Nothing tells a job in memory what became of a commit whose answer was lost. */
  @ParameterizedTest
  @MethodSource("rows")
  void aJobInMemoryEndsLikeAStoredOne(Row row) {
    var one = Case.of(row.kind().inMemory(), row).maxAttempts(1);

    var id = engine.jobs().submit(CALLER, one.request()).jobId();
    await().until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());

    var job = engine.jobs().find(CALLER, id).orElseThrow();
    assertThat(job.status()).isEqualTo(row.isLost() ? JobStatus.FAILED : row.status());
    assertThat(job.lastError().orElse(""))
        .contains(row.isLost() ? "the connection broke" : row.error());
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(one.entries()).isEqualTo(row.entries());
    assertThat(one.runs()).isEqualTo(row.isLost() ? 1 : row.runs());
    assertThat(one.failuresTold()).isEqualTo(row.isLost() ? 0 : row.failuresTold());
    assertHookIsCommittedWithTheHandler(one, row, row.entries());
  }

  /** An interceptor may throw something else than the handler did, and not hide that it threw. */
  @ParameterizedTest
  @MethodSource("swallowedRows")
  void anInterceptorCannotHideAFailure(Row row) {
    var one = Case.of(row.kind().stored(), row).maxAttempts(1).swallowed();

    var job = submittedWithDependents(one);

    assertEnd(job.id(), row.status(), 1, row.error());
    assertLeft(one, row);
    assertDependentsReleasedOnce(one, job, row.status());
  }

  /** What its transaction did is undone then, and no other job's end waits for that transaction. */
  @Test
  void aJobWhoseInterceptorHangsInItsTransactionIsGivenUp() {
    var jobs =
        Stream.of(Kind.values())
            .map(
                kind ->
                    new Row(
                        Around.A_TRANSACTION,
                        kind,
                        Fault.HANGS_AFTER,
                        JobStatus.TIMED_OUT,
                        0,
                        1,
                        0,
                        ""))
            .map(row -> Case.of(row.kind().stored(), row).maxAttempts(1).soonOverTime())
            .toList();
    var ids =
        jobs.stream().map(job -> engine.jobs().submit(CALLER, job.request()).jobId()).toList();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> meters.gauge("leasehold.slots.stuck") == jobs.size());

    awaitEnd(engine.jobs().submit(CALLER, NEXT.request("beside")).jobId());
    hanging.release(jobs.size());

    ids.forEach(id -> assertEnd(id, JobStatus.TIMED_OUT, 1, "ignored its interrupt"));
    assertThat(jobs).allSatisfy(job -> assertThat(job.entries()).isZero());
    await().until(() -> meters.gauge("leasehold.slots.stuck") == 0);
  }

  private record Submitted(JobId id, JobId next, JobId callback) {}

  // What is asked from now on is asked past the proxy, whose next commit may be cut.
  private static Submitted submittedWithDependents(Case one) {
    var submitted =
        engine
            .transactions()
            .asTenant(
                CALLER,
                tx -> {
                  var id = engine.jobs().submit(tx, one.request()).jobId();
                  var next = NEXT.request(one.name()).after(id);
                  var batch =
                      engine
                          .batches()
                          .submit(
                              tx, List.of(one.request()).iterator(), CALLBACK.request(one.name()));
                  return Map.entry(batch, Map.entry(id, engine.jobs().submit(tx, next).jobId()));
                });
    var callback =
        ask(
            "SELECT id FROM leasehold.batch_job WHERE is_callback AND batch_id = '%s'"
                .formatted(submitted.getKey()));
    var jobs = submitted.getValue();
    return new Submitted(jobs.getKey(), jobs.getValue(), JobId.of(callback));
  }

  private static void assertLeft(Case one, Row row) {
    assertThat(one.entries()).isEqualTo(row.entries());
    assertThat(one.runs()).isEqualTo(row.runs());
    assertThat(one.failuresTold()).isEqualTo(row.failuresTold());
    assertHookIsCommittedWithTheHandler(one, row, row.entries());
  }

  // The hook runs once in each transaction of a transactional handler: in that of the attempt, and
  // in that of onFailure.
  private static void assertHookIsCommittedWithTheHandler(Case one, Row row, int entries) {
    var isTransactional = row.kind() == Kind.TRANSACTIONAL;
    assertThat(one.entriesWithAuthor()).isEqualTo(isTransactional ? entries : 0);
    assertThat(one.noted()).isEqualTo(isTransactional ? entries + one.failuresTold() : 0);
  }

  private static void assertEnd(JobId id, JobStatus status, int attempts, String error) {
    awaitEnd(id);
    assertThat(ask("SELECT error FROM leasehold.outcome WHERE id = '%s'".formatted(id)))
        .contains(error.isEmpty() ? "null" : error);
    assertThat(status(id)).isEqualTo(status.word());
    assertThat(number("SELECT attempts FROM leasehold.outcome WHERE id = '%s'".formatted(id)))
        .isEqualTo(attempts);
  }

  private static void assertDependentsReleasedOnce(Case one, Submitted job, JobStatus status) {
    awaitEnd(job.next());
    awaitEnd(job.callback());
    assertThat(status(job.next())).isEqualTo(status.word());
    assertThat(status(job.callback())).isEqualTo("succeeded");
    assertThat(Collections.frequency(ran, "next" + one.name()))
        .isEqualTo(status == JobStatus.SUCCEEDED ? 1 : 0);
    assertThat(Collections.frequency(ran, "callback" + one.name())).isEqualTo(1);
  }

  private static void awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(30)).until(() -> !status(id).isEmpty());
  }

  private static String status(JobId id) {
    return ask("SELECT status FROM leasehold.outcome WHERE id = '%s'".formatted(id));
  }

  // How long the next attempt waited is counted from the end of the one before.
  private static String formerAttempts(JobId id) {
    return ask(
        """
        SELECT string_agg(format('%%s after %%s ms', status,
          round(extract(epoch FROM retry_at - ended_at) * 1000)), ', ' ORDER BY token)
        FROM leasehold.attempt WHERE id = '%s' AND status <> 'put_off' HAVING count(*) > 0\
        """
            .formatted(id));
  }

  private static int number(String sql) {
    return Integer.parseInt(ask(sql));
  }

  private static String ask(String sql) {
    return Works.ask(database, sql);
  }

  @Test
  void noLeaseIsLeft() {
    await().until(() -> number("SELECT count(*) FROM leasehold.lease") == 0);
  }
}
