package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a handler can choose besides to return and to throw. Examples of the guide are here. */
class HandlerChoicesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final SecurityContext SHOPPER =
      SecurityContext.of("bob", new TenantId(new UUID(2, 2))).build();
  private static final RetryPolicy AT_ONCE = RetryPolicy.exponential(2).first(Duration.ofMillis(1));

  private static final JobType<String, String> FOLLOWING = Handlers.type("following");
  private static final JobType<String, String> LATER = Handlers.type("later");
  private static final JobType<String, String> LATER_IN_TX = Handlers.type("later_in_tx");
  private static final JobType<String, String> WRAPPED = Handlers.type("wrapped");
  private static final JobType<String, String> SLOW_LATER =
      Handlers.type("slow_later").timeout(Duration.ofMillis(100));
  private static final JobType<String, String> CHOOSY =
      Handlers.type("choosy").retry(new OnlyIfBusy());
  private static final JobType<String, String> TOLD = Handlers.type("told").retry(AT_ONCE);
  private static final JobType<String, String> TOLD_IN_TX =
      Handlers.type("told_in_tx").retry(AT_ONCE);
  private static final JobType<String, String> WAITING =
      Handlers.type("waiting").timeout(Duration.ofSeconds(10)).retry(RetryPolicy.exponential(5));
  private static final JobType<String, String> CHECKED =
      Handlers.type("checked")
          .check(
              input -> {
                if (input.isBlank()) {
                  throw new IllegalArgumentException("input must not be blank");
                }
              });

  private static final Map<String, Integer> runs = new ConcurrentHashMap<>();
  private static final List<String> told = new CopyOnWriteArrayList<>();
  private static RunningEngine engine;

  private static final class Busy extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Retries at once if the failure is {@link Busy}, and never otherwise. */
  private static final class OnlyIfBusy implements RetryPolicy {

    @Override
    public int maxAttempts() {
      return 5;
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      return Duration.ZERO;
    }

    @Override
    public boolean isWorthAnother(Throwable failure) {
      return failure instanceof Busy;
    }
  }

  /** Tells on which instance what is called. */
  private static final class Told implements JobHandler<String, String> {

    private String ran = "nothing";

    @Override
    public String run(JobContext job, String input) throws Exception {
      ran = input + " " + job.attempt();
      if (input.startsWith("sleeps")) {
        new CountDownLatch(1).await();
      }
      if (input.startsWith("fails")) {
        throw new IllegalStateException("no");
      }
      if (input.startsWith("gives up")) {
        throw new PermanentFailure("never");
      }
      return input;
    }

    @Override
    public void onSuccess(JobContext job, String input, String output) {
      told.add(ran + " succeeded with " + output);
      if (input.contains("throws")) {
        throw new IllegalStateException("from onSuccess");
      }
    }

    @Override
    public void onFailure(JobContext job, String input, Throwable failure) throws Exception {
      told.add(ran + " failed with " + failure.getMessage());
      assertThat(engine.jobs().find(CALLER, job.id()).orElseThrow().status())
          .isEqualTo(JobStatus.RUNNING);
      assertThat(job.isCancelled()).isFalse();
      if (input.contains("hangs")) {
        try {
          new CountDownLatch(1).await();
        } finally {
          told.add(ran + " was interrupted");
        }
      }
      if (input.contains("throws")) {
        throw new IllegalStateException("from onFailure");
      }
    }
  }

  /** Submits a job in each callback, so that a test sees which of them committed. */
  private static final class ToldInTransaction implements TransactionalJobHandler<String, String> {

    private String ran = "nothing";

    @Override
    public String run(ScopedTransaction tx, JobContext job, String input) {
      ran = input + " " + job.attempt();
      submitted(tx, "work of " + input);
      if (input.startsWith("fails")) {
        throw new IllegalStateException("no");
      }
      return input;
    }

    @Override
    public void onSuccess(ScopedTransaction tx, JobContext job, String input, String output) {
      submitted(tx, "success of " + ran);
      if (input.contains("throws")) {
        throw new IllegalStateException("from onSuccess");
      }
    }

    @Override
    public void onFailure(ScopedTransaction tx, JobContext job, String input, Throwable failure) {
      submitted(tx, "failure of " + ran + ": " + failure.getMessage());
      if (input.contains("badly")) {
        throw new IllegalStateException("from onFailure");
      }
    }

    private static void submitted(ScopedTransaction tx, String key) {
      engine.jobs().submit(tx, FOLLOWING.request(key).key(key));
    }
  }

  private static final class Tellers extends AbstractModule {
    @Override
    protected void configure() {
      var handlers = HandlerBinder.handlerBinder(binder());
      handlers.handle(TOLD).with(Told.class);
      handlers.handle(TOLD_IN_TX).inTransaction(ToldInTransaction.class);
    }
  }

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(FOLLOWING, (job, input) -> input)
            .with(CHECKED, (job, input) -> input)
            .with(
                LATER,
                (job, input) -> {
                  if (runs.merge(input, 1, Integer::sum) < 3) {
                    throw new RetryLater(Duration.ofMillis(200));
                  }
                  return "attempt " + job.attempt();
                })
            .inTransaction(
                LATER_IN_TX,
                (tx, job, input) -> {
                  int run = runs.merge(input, 1, Integer::sum);
                  engine.jobs().submit(tx, FOLLOWING.request("").key(input + run));
                  if (run == 1) {
                    throw new RetryLater(Duration.ZERO);
                  }
                  return input;
                })
            .with(
                WRAPPED,
                (job, input) -> {
                  throw new IllegalStateException(new RetryLater(Duration.ZERO));
                })
            .with(
                SLOW_LATER,
                (job, input) -> {
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    throw new RetryLater(Duration.ofDays(1));
                  }
                  return input;
                })
            .with(
                CHOOSY,
                (job, input) -> {
                  if (job.attempt() == 1) {
                    throw new Busy();
                  }
                  throw new IllegalStateException("broken");
                })
            .with(
                WAITING,
                (job, input) -> {
                  new CountDownLatch(1).await();
                  return input;
                });
    var config = EngineConfig.defaults().cancelGrace(Duration.ofMillis(100));
    engine = RunningEngine.on(database, config, handlers, new Tellers());
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void anAttemptThatWasPutOffIsNotCounted() {
    var id = submit(LATER, "not yet");

    var job = awaitEnd(id);

    assertThat(runs).containsEntry("not yet", 3);
    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(Duration.between(job.createdAt(), job.finishedAt().orElseThrow()))
        .isBetween(Duration.ofMillis(400), Duration.ofSeconds(10));
  }

  @Test
  void startTimeIsThatOfTheFirstAttemptEvenIfPutOff() {
    var job = awaitEnd(submit(LATER, "not at once"));

    assertThat(Duration.between(job.startedAt().orElseThrow(), job.finishedAt().orElseThrow()))
        .isGreaterThan(Duration.ofMillis(400));
  }

  @Test
  void puttingOffRollsTheTransactionBack() {
    var job = awaitEnd(submit(LATER_IN_TX, "undone"));

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(isSubmitted("undone1")).isFalse();
    assertThat(isSubmitted("undone2")).isTrue();
  }

  @Test
  void retryLaterAsACauseIsAFailure() {
    assertThat(awaitEnd(submit(WRAPPED, "")).status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void putOffAfterTheTimeoutIsATimeout() {
    var job = awaitEnd(submit(SLOW_LATER, ""));

    assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(job.lastError().orElseThrow())
        .startsWith("timed out after 100 ms; the handler threw io.leasehold.jobs.RetryLater");
  }

  @Test
  void retryPolicyDecidesWhichFailuresAreRetried() {
    var job = awaitEnd(submit(CHOOSY, ""));

    assertThat(job.attempts()).isEqualTo(2);
    assertThat(job.lastError()).contains("java.lang.IllegalStateException: broken");
  }

  @Test
  void onSuccessIsCalled() {
    awaitEnd(submit(TOLD, "works"));

    assertThat(told).contains("works 1 succeeded with works");
  }

  @Test
  void exceptionInOnSuccessKeepsTheSuccess() {
    assertThat(awaitEnd(submit(TOLD, "throws late")).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void onFailureIsCalledOnceAfterTheLastAttempt() {
    awaitEnd(submit(TOLD, "fails quietly"));

    assertThat(told)
        .filteredOn(line -> line.startsWith("fails quietly"))
        .containsExactly("fails quietly 2 failed with no");
  }

  @Test
  void onFailureIsCalledAfterAPermanentFailure() {
    awaitEnd(submit(TOLD, "gives up"));

    assertThat(told).contains("gives up 1 failed with never");
  }

  @Test
  void exceptionInOnFailureKeepsTheFirstError() {
    var job = awaitEnd(submit(TOLD, "fails and throws"));

    assertThat(job.lastError()).contains("java.lang.IllegalStateException: no");
  }

  @Test
  void onFailureHasItsOwnTimeAfterATimeout() {
    var request = TOLD.request("sleeps").timeout(Duration.ofMillis(300)).maxAttempts(1);

    var job = awaitEnd(engine.jobs().submit(CALLER, request).jobId());

    assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(told).contains("sleeps 1 failed with null");
  }

  @Test
  void callbackIsInterruptedAfterTheTimeout() {
    var request = TOLD.request("fails and hangs").timeout(Duration.ofMillis(500)).maxAttempts(1);

    var job = awaitEnd(engine.jobs().submit(CALLER, request).jobId());

    assertThat(told).contains("fails and hangs 1 was interrupted");
    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.lastError()).contains("java.lang.IllegalStateException: no");
  }

  @Test
  void noCallbackIsCalledAfterACancel() {
    var id = submit(TOLD, "sleeps until cancelled");
    await().until(() -> find(id).status() == JobStatus.RUNNING);

    engine.jobs().cancel(CALLER, id);

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(told).noneMatch(line -> line.startsWith("sleeps until cancelled"));
  }

  @Test
  void onSuccessRunsInTheHandlersTransaction() {
    awaitEnd(submit(TOLD_IN_TX, "bought"));

    assertThat(isSubmitted("work of bought")).isTrue();
    assertThat(isSubmitted("success of bought 1")).isTrue();
  }

  @Test
  void exceptionInTransactionalOnSuccessRollsTheWorkBack() {
    var job = awaitEnd(submit(TOLD_IN_TX, "throws after"));

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(2);
    assertThat(isSubmitted("work of throws after")).isFalse();
    assertThat(isSubmitted("success of throws after 2")).isFalse();
    assertThat(isSubmitted("failure of throws after 2: from onSuccess")).isTrue();
  }

  @Test
  void onFailureRunsInItsOwnTransaction() {
    awaitEnd(submit(TOLD_IN_TX, "fails"));

    assertThat(isSubmitted("work of fails")).isFalse();
    assertThat(isSubmitted("failure of fails 2: no")).isTrue();
  }

  @Test
  void exceptionInTransactionalOnFailureRollsItsWritesBack() {
    var job = awaitEnd(submit(TOLD_IN_TX, "fails badly"));

    assertThat(job.lastError()).contains("java.lang.IllegalStateException: no");
    assertThat(isSubmitted("failure of fails badly 2: no")).isFalse();
  }

  @Test
  void requestCanShortenTheTimeout() {
    var request = WAITING.request("").timeout(Duration.ofMillis(100)).maxAttempts(1);

    var job = awaitEnd(engine.jobs().submit(CALLER, request).jobId());

    assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(Duration.between(job.startedAt().orElseThrow(), job.finishedAt().orElseThrow()))
        .isLessThan(Duration.ofSeconds(8));
  }

  @Test
  void requestBeyondTheLimitsOfItsTypeIsRefused() {
    var request = WAITING.request("");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.timeout(Duration.ofSeconds(11)))
        .withMessage("timeout must be at most the handler's PT10S, not PT11S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.maxAttempts(6))
        .withMessage("maxAttempts must be at most the handler's 5, not 6");
  }

  @Test
  void inputThatFailsItsCheckIsRefused() {
    assertRefused(() -> engine.jobs().submit(SHOPPER, CHECKED.request(" ")));
    assertRefused(() -> engine.jobs().submit(SHOPPER, CHECKED.request(" ").key("blank")));
  }

  @Test
  void submitAllWithARefusedInputStoresNoJob() {
    List<JobRequest<?, ?>> requests =
        new ArrayList<>(Collections.nCopies(1_500, CHECKED.request("fine")));
    requests.add(CHECKED.request(""));

    assertRefused(() -> engine.jobs().submitAll(SHOPPER, requests.iterator()));

    assertThat(engine.jobs().list(SHOPPER, JobFilter.newest()).jobs()).isEmpty();
  }

  @Test
  void transactionContinuesAfterARefusedInput() {
    engine
        .transactions()
        .asTenant(
            CALLER,
            tx -> {
              assertRefused(() -> engine.jobs().submit(tx, CHECKED.request("")));
              return engine.jobs().submit(tx, FOLLOWING.request("").key("went on"));
            });

    assertThat(isSubmitted("went on")).isTrue();
  }

  @Test
  void otherExceptionsOfACheckReachTheCaller() {
    var type =
        CHECKED.check(
            input -> {
              throw new UnsupportedOperationException("no check today");
            });

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> engine.jobs().submit(CALLER, type.request("fine")));
  }

  @Test
  void requestHasToPassEachCheckOfItsType() {
    var type =
        FOLLOWING
            .checkRequest(request -> require(request.key().isPresent(), "key must be present"))
            .checkRequest(request -> require(request.priority() < 5, "priority must be under 5"));

    assertRequestRefused(type.request("").priority(1), "key must be present");
    assertRequestRefused(type.request("").key("urgent").priority(9), "priority must be under 5");
    assertThat(isSubmitted("urgent")).isFalse();
    assertThat(engine.jobs().submit(CALLER, type.request("").key("both")).repeated()).isFalse();
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  private static void assertRequestRefused(JobRequest<?, ?> request, String message) {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> engine.jobs().submit(CALLER, request))
        .withMessage(message)
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.INPUT_REFUSED);
  }

  private static void assertRefused(Runnable submission) {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(submission::run)
        .withMessage("input must not be blank")
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.INPUT_REFUSED);
  }

  private static boolean isSubmitted(String key) {
    return engine.jobs().submit(CALLER, FOLLOWING.request("").key(key)).repeated();
  }

  private static JobId submit(JobType<String, String> type, String input) {
    return engine.jobs().submit(CALLER, type.request(input)).jobId();
  }

  private static Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private static Job awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(20)).until(() -> find(id).status().isFinal());
    return find(id);
  }
}
