package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How jobs end, by what their handlers do and by what people ask for. */
class OutcomesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final RetryPolicy AT_ONCE = RetryPolicy.exponential(3).first(Duration.ofMillis(1));

  private static final JobType<String, String> ECHO = Handlers.type("echo");
  private static final JobType<String, String> FAILING = Handlers.type("failing").retry(AT_ONCE);
  private static final JobType<String, String> HOPELESS = Handlers.type("hopeless").retry(AT_ONCE);
  private static final JobType<String, String> SECOND = Handlers.type("second").retry(AT_ONCE);
  private static final JobType<String, String> SLOW =
      Handlers.type("slow").timeout(Duration.ofMillis(50));
  private static final JobType<String, String> PATIENT = Handlers.type("patient");
  private static final JobType<String, String> STUBBORN = Handlers.type("stubborn");

  private static final AtomicInteger attempts = new AtomicInteger();
  private static final CountDownLatch begun = new CountDownLatch(1);
  private static RunningEngine engine;

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(ECHO, (job, input) -> input)
            .with(
                FAILING,
                (job, input) -> {
                  attempts.incrementAndGet();
                  throw new IllegalStateException("no " + input);
                })
            .with(
                HOPELESS,
                (job, input) -> {
                  throw new PermanentFailure("never");
                })
            .with(
                SECOND,
                (job, input) -> {
                  if (job.attempt() == 1) {
                    throw new IllegalStateException("not yet");
                  }
                  return input + job.attempt();
                })
            .with(
                SLOW,
                (job, input) -> {
                  new CountDownLatch(1).await();
                  return input;
                })
            .with(
                PATIENT,
                (job, input) -> {
                  begun.countDown();
                  while (true) {
                    job.throwIfCancelled();
                    Thread.onSpinWait();
                  }
                })
            .with(
                STUBBORN,
                (job, input) -> {
                  new CountDownLatch(1).await();
                  return input;
                });
    engine =
        RunningEngine.on(
            database, EngineConfig.defaults().cancelGrace(Duration.ofMillis(100)), handlers);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void succeedsWithTheHandlersResult() {
    var id = submit(ECHO, "hello");

    var job = awaitEnd(id);

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.startedAt()).isPresent();
    assertThat(job.finishedAt()).isPresent();
    assertThat(engine.jobs().result(CALLER, id, String.class))
        .isEqualTo(new JobResult.Succeeded<>("hello"));
  }

  @Test
  void failsWhenAttemptsAreUsedUp() {
    var id = submit(FAILING, "luck");

    var job = awaitEnd(id);

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(3);
    assertThat(attempts).hasValue(3);
    assertThat(job.lastError()).contains("java.lang.IllegalStateException: no luck");
  }

  @Test
  void isNotRetriedAfterAPermanentFailure() {
    var id = submit(HOPELESS, "");

    var job = awaitEnd(id);

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(1);
  }

  @Test
  void succeedsAtItsSecondAttempt() {
    var id = submit(SECOND, "try ");

    var job = awaitEnd(id);

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(engine.jobs().result(CALLER, id, String.class))
        .isEqualTo(new JobResult.Succeeded<>("try 2"));
  }

  @Test
  void timesOut() {
    var id = submit(SLOW, "");

    var job = awaitEnd(id);

    assertThat(job.status()).isEqualTo(JobStatus.TIMED_OUT);
    assertThat(Duration.between(job.startedAt().orElseThrow(), job.finishedAt().orElseThrow()))
        .isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void handlerMayEndByItselfAfterACancel() throws InterruptedException {
    var id = submit(PATIENT, "");
    begun.await();

    var cancellation = engine.jobs().cancel(CALLER, id);

    assertThat(cancellation).isInstanceOf(Cancellation.Requested.class);
    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(engine.jobs().cancel(CALLER, id))
        .isEqualTo(new Cancellation.TooLate(JobStatus.CANCELLED));
  }

  @Test
  void isInterruptedOneGraceAfterACancel() {
    var id = submit(STUBBORN, "");
    await().until(() -> find(id).status() == JobStatus.RUNNING);

    engine.jobs().cancel(CALLER, id);

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.CANCELLED);
  }

  @Test
  void neverRunsIfItIsCancelledBeforeItsStart() {
    var id = engine.jobs().submit(CALLER, ECHO.request("late").delay(Duration.ofHours(1))).jobId();

    var cancellation = engine.jobs().cancel(CALLER, id);

    assertThat(cancellation).isInstanceOf(Cancellation.Cancelled.class);
    assertThat(find(id).status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(find(id).startedAt()).isEmpty();
  }

  @Test
  void runsAgainWhenItIsRetried() {
    var id = submit(HOPELESS, "");
    awaitEnd(id);
    var first = find(id);

    var retrial = engine.jobs().retry(CALLER, id);

    assertThat(retrial).isInstanceOf(RetryOutcome.Queued.class);
    await().until(() -> find(id).status().isFinal());
    assertThat(find(id).finishedAt().orElseThrow()).isAfter(first.finishedAt().orElseThrow());
    assertThat(find(id).startedAt()).isEqualTo(first.startedAt());
    assertThat(find(id).attempts()).isEqualTo(1);
  }

  @Test
  void cannotBeFoundAfterADelete() {
    var id = submit(ECHO, "bye");
    awaitEnd(id);

    var deletion = engine.jobs().delete(CALLER, id);

    assertThat(deletion).isInstanceOf(Deletion.Deleted.class);
    assertThat(engine.jobs().find(CALLER, id)).isEmpty();
    assertThat(engine.jobs().delete(CALLER, id)).isInstanceOf(Deletion.NotFound.class);
  }

  @Test
  void runsAfterItsDelay() {
    var request = ECHO.request("soon").delay(Duration.ofMillis(700));
    var id = engine.jobs().submit(CALLER, request).jobId();

    var job = awaitEnd(id);

    assertThat(Duration.between(job.createdAt(), job.startedAt().orElseThrow()))
        .isBetween(Duration.ofMillis(699), Duration.ofSeconds(5));
  }

  @Test
  void isSubmittedOnceForAKey() {
    var first = engine.jobs().submit(CALLER, ECHO.request("one").key("october"));

    var second = engine.jobs().submit(CALLER, ECHO.request("two").key("october"));

    assertThat(first.repeated()).isFalse();
    assertThat(second.repeated()).isTrue();
    assertThat(second.jobId()).isEqualTo(first.jobId());
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
