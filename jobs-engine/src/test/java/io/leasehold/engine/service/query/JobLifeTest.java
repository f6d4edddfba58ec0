package io.leasehold.engine.service.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.Scripted.Deed;
import io.leasehold.engine.service.query.Scripted.Script;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What find, list and result tell over the life of a job. */
class JobLifeTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final EngineConfig PROMPT =
      EngineConfig.defaults().pollEvery(Duration.ofMillis(20)).cancelGrace(Duration.ZERO);

  private final Scripted.Gate gate = new Scripted.Gate();
  private final OpenService service = OpenService.on(database, PROMPT, new Scripted.Handlers(gate));

  @AfterEach
  void close() {
    service.close();
  }

  private JobId submit(JobType<Script, String> type, Deed deed) {
    return service.jobs().submit(CALLER, type.request(new Script(deed, "its secret"))).jobId();
  }

  private Job find(JobId id) {
    return service.jobs().find(CALLER, id).orElseThrow();
  }

  private Job awaitStatus(JobId id, JobStatus status) {
    return await().until(() -> find(id), job -> job.status() == status);
  }

  /** Waits until an attempt has failed that was not the last. */
  private Job awaitSetback(JobId id) {
    return await()
        .until(() -> find(id), job -> job.status() == JobStatus.QUEUED && job.attempts() > 0);
  }

  private JobResult<String> result(JobId id) {
    return service.jobs().result(CALLER, id, String.class);
  }

  @Test
  void aNewJobIsQueued() {
    var job = find(submit(Scripted.LATER, Deed.RETURN));

    assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
    assertThat(job.attempts()).isZero();
    assertThat(job.maxAttempts()).isEqualTo(3);
    assertThat(job.availableAt().orElseThrow())
        .isBetween(job.createdAt(), job.createdAt().plusSeconds(5));
    assertThat(job.updatedAt()).isEqualTo(job.availableAt().orElseThrow());
    assertThat(job.startedAt()).isEmpty();
    assertThat(job.finishedAt()).isEmpty();
    assertThat(job.lastError()).isEmpty();
    assertThat(result(job.id())).isEqualTo(new JobResult.NotOver<>(JobStatus.QUEUED));
  }

  @Test
  void aDelayedJobIsQueuedUntilItsTime() {
    var request = Scripted.ONCE.request(new Script(Deed.RETURN, "")).delay(Duration.ofHours(1));

    var job = find(service.jobs().submit(CALLER, request).jobId());

    assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
    assertThat(Duration.between(job.createdAt(), job.availableAt().orElseThrow()))
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    assertThat(job.updatedAt()).isEqualTo(job.createdAt());
  }

  @Test
  void aJobWithALeaseIsRunning() {
    service.start();
    var id = submit(Scripted.ONCE, Deed.WAIT);

    var job = await().until(() -> find(id), found -> found.progress().isPresent());

    assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.availableAt()).isEmpty();
    assertThat(job.startedAt().orElseThrow()).isAfterOrEqualTo(job.createdAt());
    assertThat(job.finishedAt()).isEmpty();
    assertThat(job.updatedAt()).isAfter(job.startedAt().orElseThrow());
    assertThat(job.progress()).contains(new Job.Progress(40, Optional.of("at the gate")));
    assertThat(result(id)).isEqualTo(new JobResult.NotOver<>(JobStatus.RUNNING));
    gate.open();
  }

  @Test
  void aJobWhoseHandlerReturnedHasSucceeded() {
    service.start();

    var job = awaitStatus(submit(Scripted.ONCE, Deed.RETURN), JobStatus.SUCCEEDED);

    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.availableAt()).isEmpty();
    assertThat(job.finishedAt().orElseThrow()).isAfterOrEqualTo(job.startedAt().orElseThrow());
    assertThat(job.updatedAt()).isEqualTo(job.finishedAt().orElseThrow());
    assertThat(job.lastError()).isEmpty();
    assertThat(result(job.id())).isEqualTo(new JobResult.Succeeded<>("done in attempt 1"));
  }

  @Test
  void aJobWhoseLastAttemptFailedHasFailed() {
    service.start();

    var job = awaitStatus(submit(Scripted.SOON, Deed.FAIL), JobStatus.FAILED);

    assertThat(job.attempts()).isEqualTo(3);
    assertThat(job.lastError().orElseThrow()).contains("broken 3");
    assertThat(result(job.id()))
        .isEqualTo(new JobResult.Ended<>(JobStatus.FAILED, job.lastError()));
  }

  @Test
  void aJobThatFailedForGoodHasNoFurtherAttempt() {
    service.start();

    var job = awaitStatus(submit(Scripted.LATER, Deed.FAIL_FOR_GOOD), JobStatus.FAILED);

    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError().orElseThrow()).contains("hopeless");
  }

  @Test
  void aJobThatTookTooLongHasTimedOut() {
    service.start();

    var job = awaitStatus(submit(Scripted.SHORT, Deed.STAY), JobStatus.TIMED_OUT);

    assertThat(job.attempts()).isEqualTo(1);
    assertThat(result(job.id())).isInstanceOf(JobResult.Ended.class);
  }

  @Test
  void aJobThatWaitsForItsNextAttemptShowsTheLastError() {
    service.start();

    var job = awaitSetback(submit(Scripted.LATER, Deed.FAIL_ONCE));

    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError().orElseThrow()).contains("broken once");
    assertThat(job.startedAt()).isPresent();
    assertThat(job.finishedAt()).isEmpty();
    assertThat(job.updatedAt()).isAfterOrEqualTo(job.startedAt().orElseThrow());
    assertThat(job.availableAt().orElseThrow())
        .isAfter(job.updatedAt().plus(Duration.ofMinutes(59)));
    assertThat(result(job.id())).isEqualTo(new JobResult.NotOver<>(JobStatus.QUEUED));
  }

  @Test
  void aManualRetryEndsTheWaitForTheNextAttempt() {
    service.start();
    var setback = awaitSetback(submit(Scripted.LATER, Deed.FAIL_ONCE));

    var retried = service.jobs().retry(CALLER, setback.id());

    var job = awaitStatus(setback.id(), JobStatus.SUCCEEDED);
    assertThat(retried).isEqualTo(new RetryOutcome.Queued());
    assertThat(job.attempts()).isEqualTo(2);
    assertThat(job.lastError()).isEmpty();
    assertThat(job.startedAt()).isEqualTo(setback.startedAt());
  }

  @Test
  void aRetriedDeadLetterCountsItsAttemptsFromZero() {
    service.start();
    var dead = awaitStatus(submit(Scripted.ONCE, Deed.FAIL), JobStatus.FAILED);
    service.close();

    try (var idle = OpenService.on(database, PROMPT, new Scripted.Handlers(gate))) {
      idle.jobs().retry(CALLER, dead.id());

      var job = idle.jobs().find(CALLER, dead.id()).orElseThrow();
      assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
      assertThat(job.attempts()).isZero();
      assertThat(job.lastError()).isEqualTo(dead.lastError());
      assertThat(job.startedAt()).isEqualTo(dead.startedAt());
      assertThat(job.finishedAt()).isEmpty();
      assertThat(job.updatedAt()).isAfter(dead.updatedAt());
      assertThat(idle.jobs().result(CALLER, dead.id(), String.class))
          .isEqualTo(new JobResult.NotOver<>(JobStatus.QUEUED));
    }
  }

  @Test
  void aJobThatIsCancelledBeforeItRunsNeverStarts() {
    var id = submit(Scripted.ONCE, Deed.RETURN);

    service.jobs().cancel(CALLER, id);

    var job = find(id);
    assertThat(job.status()).isEqualTo(JobStatus.CANCELLED);
    assertThat(job.attempts()).isZero();
    assertThat(job.startedAt()).isEmpty();
    assertThat(job.availableAt()).isEmpty();
    assertThat(job.updatedAt()).isEqualTo(job.finishedAt().orElseThrow());
    assertThat(result(id)).isEqualTo(new JobResult.Ended<>(JobStatus.CANCELLED, Optional.empty()));
  }

  @Test
  void aCancelledJobThatIsRetriedIsNotOlderThanItsCancellation() {
    var id = submit(Scripted.ONCE, Deed.RETURN);
    service.jobs().cancel(CALLER, id);
    var cancelled = find(id);

    service.jobs().retry(CALLER, id);

    assertThat(find(id).status()).isEqualTo(JobStatus.QUEUED);
    assertThat(find(id).updatedAt()).isAfter(cancelled.updatedAt());
  }

  @Test
  void aRunningJobThatIsCancelledEndsAsCancelled() {
    service.start();
    var id = submit(Scripted.LATER, Deed.STAY);
    awaitStatus(id, JobStatus.RUNNING);

    service.jobs().cancel(CALLER, id);

    var job = awaitStatus(id, JobStatus.CANCELLED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.startedAt()).isPresent();
  }

  @Test
  void aDeletedJobCannotBeFound() {
    var id = submit(Scripted.ONCE, Deed.RETURN);

    service.jobs().delete(CALLER, id);

    assertThat(service.jobs().find(CALLER, id)).isEmpty();
    assertThat(result(id)).isEqualTo(new JobResult.NotFound<>());
    assertThat(service.jobs().list(CALLER, JobFilter.newest().limit(200)).jobs())
        .extracting(Job::id)
        .doesNotContain(id);
  }

  @Test
  void noAnswerShowsTheInput() {
    service.start();
    var id = submit(Scripted.LATER, Deed.FAIL);

    var job = awaitSetback(id);

    assertThat(job.toString()).doesNotContain("its secret");
    assertThat(result(id).toString()).doesNotContain("its secret");
  }

  @Test
  void aForeignJobIsAnsweredLikeAnUnknownOne() {
    var foreign = submit(Scripted.ONCE, Deed.RETURN);
    var absent = new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000000"));
    var other = SecurityContext.of("bob", new TenantId(new UUID(1, 2))).build();

    for (var id : new JobId[] {foreign, absent}) {
      assertThat(service.jobs().find(other, id)).isEmpty();
      assertThat(service.jobs().result(other, id, String.class))
          .isEqualTo(new JobResult.NotFound<>());
      assertThat(service.jobs().list(other, JobFilter.newest()).jobs()).isEmpty();
    }
  }
}
