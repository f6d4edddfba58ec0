package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.spi.InputCheck;
import io.leasehold.testkit.TestDatabase;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a job does, it ends, and the worker that ran it goes on to run others. */
class PoisonPillTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final RetryPolicy AT_ONCE = RetryPolicy.exponential(2).first(Duration.ofMillis(1));

  private static final JobType<Pill, Object> PILL = type("pill", Pill.class);
  private static final JobType<Pill, Object> PILL_IN_TX = type("pill_in_tx", Pill.class);
  private static final JobType<Integer, Object> ORDINARY = type("ordinary", Integer.class);
  private static final JobType<String, Object> TOLD = type("told", String.class);
  private static final JobType<String, Object> TOLD_IN_TX = type("told_in_tx", String.class);
  private static final JobType<String, Object> OPENING = type("opening", String.class);
  private static final JobType<String, Object> UNMADE = type("unmade", String.class);
  private static final JobType<Object, Object> UNREADABLE = type("unreadable", Object.class);
  private static final JobType<Integer, Object> READ_AS_NUMBER = type("unreadable", Integer.class);

  private static final CountDownLatch noLongerOpen = new CountDownLatch(1);
  private static RunningEngine engine;

  // All in one queue, of eight slots.
  private static <I> JobType<I, Object> type(String name, Class<I> input) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.tests.poison.%s.v1".formatted(name),
            input,
            Object.class)
        .retry(AT_ONCE);
  }

  /** Throws, whatever it is told. */
  private static final class Sore
      implements JobHandler<String, Object>, TransactionalJobHandler<String, Object> {

    @Override
    public Object run(JobContext job, String input) {
      if (input.equals("fails")) {
        throw new Pill.Untellable();
      }
      if (input.startsWith("fails")) {
        throw new IllegalStateException("no");
      }
      return input;
    }

    @Override
    public void onSuccess(JobContext job, String input, Object output) {
      if (input.endsWith("for long")) {
        Pill.spin();
      }
      throw new Pill.Untellable();
    }

    @Override
    public void onFailure(JobContext job, String input, Throwable failure) {
      if (input.endsWith("for long")) {
        Pill.spin();
      }
      throw new Pill.Death();
    }

    @Override
    public Object run(ScopedTransaction tx, JobContext job, String input) {
      return run(job, input);
    }

    @Override
    public void onSuccess(ScopedTransaction tx, JobContext job, String input, Object output) {
      throw new Pill.Untellable();
    }

    @Override
    public void onFailure(ScopedTransaction tx, JobContext job, String input, Throwable failure) {
      throw new Pill.Death();
    }
  }

  /** Cannot be made. */
  private static final class Unmade implements JobHandler<String, Object> {

    @Inject
    Unmade() {
      throw new Pill.Untellable();
    }

    @Override
    public Object run(JobContext job, String input) {
      return input;
    }
  }

  /** Throws what the handler threw, or something of its own. */
  private record BadPolicy(boolean ofItsOwn) implements RetryPolicy {

    @Override
    public int maxAttempts() {
      return 2;
    }

    @Override
    public boolean isWorthAnother(Throwable failure) {
      if (ofItsOwn) {
        throw new Pill.Death();
      }
      throw (RuntimeException) failure;
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      return Duration.ZERO;
    }
  }

  private static final JobType<String, Object> BADLY_JUDGED =
      type("badly_judged", String.class).retry(new BadPolicy(true));
  private static final JobType<String, Object> JUDGED_BY_ITSELF =
      type("judged_by_itself", String.class).retry(new BadPolicy(false));

  @BeforeAll
  static void start() {
    JobHandler<String, Object> failing =
        (job, input) -> {
          throw new IllegalStateException("no");
        };
    var handlers =
        new Handlers()
            .with(PILL, (job, pill) -> pill.take(job))
            .inTransaction(PILL_IN_TX, (tx, job, pill) -> pill.take(job))
            .with(ORDINARY, (job, number) -> number + 1)
            .with(TOLD, new Sore())
            .inTransaction(TOLD_IN_TX, new Sore())
            .with(READ_AS_NUMBER, (job, number) -> number)
            .with(OPENING, PoisonPillTest::leaveOpen)
            .with(BADLY_JUDGED, failing)
            .with(JUDGED_BY_ITSELF, failing)
            .made(UNMADE, Unmade.class);
    engine =
        RunningEngine.on(
            database,
            EngineConfig.defaults().concurrency(8).cancelGrace(Duration.ofSeconds(1)),
            handlers);
  }

  @AfterAll
  static void stop() {
    noLongerOpen.countDown();
    engine.close();
  }

  @BeforeEach
  void releaseNothing() {
    Pill.RELEASED.set(false);
  }

  private static Object leaveOpen(JobContext job, String input) {
    Thread.ofVirtual()
        .start(
            new FutureTask<>(
                () ->
                    engine
                        .transactions()
                        .asTenant(
                            job.caller(),
                            tx -> {
                              engine.jobs().submit(tx, ORDINARY.request(1));
                              noLongerOpen.await();
                              return null;
                            })));
    return input;
  }

  @AfterEach
  void theWorkerRunsAHundredOthers() {
    List<JobRequest<?, ?>> requests = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      requests.add(ORDINARY.request(i));
    }
    var ids =
        engine.jobs().submitAll(CALLER, requests.iterator()).stream()
            .map(Submission::jobId)
            .toList();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ids.stream().allMatch(id -> find(id).status() == JobStatus.SUCCEEDED));
    Pill.RELEASED.set(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          OVERFLOWS_THE_STACK             | 2 | java.lang.StackOverflowError
          ASKS_FOR_TOO_LARGE_AN_ARRAY     | 2 | java.lang.OutOfMemoryError: Requested array size
          THROWS_OUT_OF_MEMORY            | 2 | java.lang.OutOfMemoryError: so it says
          THROWS_AN_ERROR_OF_ITS_OWN      | 2 | io.leasehold.engine.Pill$Death
          GIVES_100_MEGABYTES             | 1 | TOO_LARGE: io.leasehold.jobs.JobsException: output must have at most 1048576
          GIVES_WHAT_IS_NO_JSON           | 1 | VALUE_REFUSED: io.leasehold.jobs.JobsException: output cannot be written
          GIVES_AN_ENDLESS_TREE           | 1 | VALUE_REFUSED: io.leasehold.jobs.JobsException: output cannot be written
          THROWS_NUL_AND_HALF_A_CHARACTER | 2 | java.lang.IllegalStateException: abc
          THROWS_A_LONG_MESSAGE           | 2 | java.lang.IllegalStateException: xxx
          THROWS_WHAT_CANNOT_BE_TOLD      | 2 | io.leasehold.engine.Pill$Untellable
          THROWS_WHAT_IS_ITS_OWN_CAUSE    | 2 | java.lang.IllegalStateException: effect
          INTERRUPTS_ITSELF_AND_THROWS    | 2 | java.lang.IllegalStateException: interrupted
          """)
  void fails(Pill pill, int attempts, String error) {
    for (var type : List.of(PILL, PILL_IN_TX)) {
      var job = awaitEnd(submit(type, pill));

      assertThat(job.status()).isEqualTo(JobStatus.FAILED);
      assertThat(job.lastError().orElseThrow()).contains(error);
      assertThat(job.attempts()).isEqualTo(attempts);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GIVES_NUL, a\0b",
    "GIVES_HALF_A_CHARACTER, a\ud83db",
    "TELLS_NUL_AND_HALF_A_CHARACTER, told",
    "LEAVES_SOMETHING_TO_ITS_THREAD, left"
  })
  void succeeds(Pill pill, String output) {
    for (var type : List.of(PILL, PILL_IN_TX)) {
      var id = submit(type, pill);

      assertThat(awaitEnd(id).lastError()).isEmpty();
      assertThat(engine.jobs().result(CALLER, id, Object.class))
          .isEqualTo(new JobResult.Succeeded<>(output));
    }
  }

  @Test
  void succeedsEvenIfItInterruptedItself() {
    assertThat(awaitEnd(submit(PILL, Pill.INTERRUPTS_ITSELF)).status())
        .isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void isNotCommittedWhenItInterruptedItself() {
    assertThat(awaitEnd(submit(PILL_IN_TX, Pill.INTERRUPTS_ITSELF)).lastError().orElseThrow())
        .contains("the thread was interrupted");
  }

  @Test
  void timesOut() {
    for (var type : List.of(PILL, PILL_IN_TX)) {
      var request = type.request(Pill.SLEEPS_TOO_LONG).timeout(Duration.ofMillis(500));

      var job = awaitEnd(engine.jobs().submit(CALLER, request).jobId());

      assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
      assertThat(job.lastError()).contains("timed out after 500 ms");
    }
  }

  /** Three of eight slots are stuck then, and on a machine of two processors both of them. */
  @Test
  void isGivenUpIfItIgnoresInterrupts() {
    var ids = new ArrayList<JobId>();
    for (int i = 0; i < 3; i++) {
      var request = PILL.request(Pill.IGNORES_INTERRUPTS).timeout(Duration.ofMillis(100));
      ids.add(engine.jobs().submit(CALLER, request.maxAttempts(1)).jobId());
    }

    for (var id : ids) {
      assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.TIMED_OUT);
      assertThat(find(id).lastError())
          .contains("timed out after 100 ms; the handler ignored its interrupt");
    }
  }

  /** Most of the connections there are. */
  @Test
  void mayLeaveTransactionsOpenInOtherThreads() {
    for (int i = 0; i < 6; i++) {
      var request = OPENING.request("");

      assertThat(awaitEnd(engine.jobs().submit(CALLER, request).jobId()).status())
          .isEqualTo(JobStatus.SUCCEEDED);
    }
  }

  /** The callback, not the handler, is what hangs: the job ends as it would have. */
  @Test
  void callbackThatIgnoresInterruptsIsGivenUp() {
    var failing = TOLD.request("fails for long").timeout(Duration.ofMillis(100)).maxAttempts(1);
    var failed = engine.jobs().submit(CALLER, failing).jobId();
    var succeeding = TOLD.request("works for long").timeout(Duration.ofMillis(100)).maxAttempts(1);
    var succeeded = engine.jobs().submit(CALLER, succeeding).jobId();

    assertThat(awaitEnd(failed).lastError()).contains("java.lang.IllegalStateException: no");
    assertThat(awaitEnd(succeeded).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void succeedsWhateverOnSuccessThrows() {
    assertThat(awaitEnd(submit(TOLD, "works")).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(awaitEnd(submit(TOLD_IN_TX, "works")).status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void failsWhateverOnFailureThrows() {
    for (var type : List.of(TOLD, TOLD_IN_TX)) {
      var job = awaitEnd(submit(type, "fails"));

      assertThat(job.lastError().orElseThrow()).contains("Untellable");
      assertThat(job.attempts()).isEqualTo(2);
    }
  }

  @Test
  void failsWithAPolicyThatThrows() {
    var byItself = awaitEnd(submit(JUDGED_BY_ITSELF, ""));

    assertThat(awaitEnd(submit(BADLY_JUDGED, "")).lastError().orElseThrow())
        .contains("java.lang.IllegalStateException: no; and its retry policy threw")
        .contains("Death");
    assertThat(byItself.status()).isEqualTo(JobStatus.FAILED);
    assertThat(byItself.attempts()).isEqualTo(1);
  }

  @Test
  void failsIfItsHandlerCannotBeCreated() {
    var job = awaitEnd(submit(UNMADE, ""));

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(2);
  }

  @Test
  void failsForGoodIfItsInputIsNoLongerReadable() {
    var job = awaitEnd(submit(UNREADABLE, "not a number"));

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError().orElseThrow())
        .contains("the input cannot be read as java.lang.Integer");
  }

  @Test
  void isNotSubmittedIfItsCheckThrows() {
    InputCheck<Integer> check =
        input -> {
          throw new Pill.Death();
        };
    var before = engine.jobs().list(CALLER, JobFilter.newest().limit(1)).jobs();

    assertThat(catchThrowable(() -> engine.jobs().submit(CALLER, ORDINARY.check(check).request(1))))
        .isInstanceOf(Pill.Death.class);
    assertThat(engine.jobs().list(CALLER, JobFilter.newest().limit(1)).jobs()).isEqualTo(before);
  }

  @Test
  void storesAnInputWithAnyCharacter() {
    var input = "a\0b\ud83dc\udc00d\ud83d\ude00";
    var request = TOLD.request(input).metadata("na\0me", input);

    var id = engine.jobs().submit(CALLER, request).jobId();

    assertThat(awaitEnd(id).lastError()).isEmpty();
    assertThat(engine.jobs().result(CALLER, id, String.class))
        .isEqualTo(new JobResult.Succeeded<>(input));
  }

  private static <I> JobId submit(JobType<I, Object> type, I input) {
    var request = type.request(input).timeout(Pill.TIMEOUT);
    return engine.jobs().submit(CALLER, request).jobId();
  }

  private static Job awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(60)).until(() -> find(id).status().isFinal());
    return find(id);
  }

  private static Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }
}
