package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What comes too late for a job in memory, or more often than once. */
class LateInMemoryTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration NO_GRACE = Duration.ofMillis(1);
  private static final JobType<String, String> TYPE =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.memory.late.v1", String.class, String.class);

  private final Works works = new Works();
  private final CompletableFuture<Thread> begun = new CompletableFuture<>();
  private final CompletableFuture<Void> goOn = new CompletableFuture<>();
  private final List<ErrorCode> refusals = new CopyOnWriteArrayList<>();
  private RunningEngine engine;

  @BeforeEach
  void start() {
    var config = EngineConfig.defaults().cancelGrace(Duration.ofMillis(50));
    engine = RunningEngine.on(database, config, new Handlers().with(TYPE, works));
  }

  @AfterEach
  void stop() {
    goOn.complete(null);
    engine.close();
  }

  /** Reports that it has begun, and continues only when the test completes {@code goOn}. */
  private void waitStubbornly() {
    begun.complete(Thread.currentThread());
    goOn.join(); // Ignores interrupts, as no handler should.
  }

  private void refused(Runnable call) {
    try {
      call.run();
    } catch (JobsException e) {
      refusals.add(e.code());
    }
  }

  /** What is told of it only when the test says so. */
  public final class Slow {
    public String getText() {
      waitStubbornly();
      return "late";
    }
  }

  private JobId submit(JobHandler<String, String> work) {
    return engine.jobs().submit(CALLER, TYPE.request(works.of(work))).jobId();
  }

  private static String fail(JobContext job, String input) {
    throw new IllegalStateException("no");
  }

  private JobId failed(JobHandler<String, String> work) {
    var id = submit(work);
    awaitStatus(id, JobStatus.FAILED);
    return id;
  }

  private void awaitStatus(JobId id, JobStatus status) {
    await().atMost(Duration.ofSeconds(30)).until(() -> find(id).status() == status);
  }

  private Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private List<JobEvent> history(JobId id) {
    return engine.jobs().events(CALLER, id, EventCursor.BEGIN, 1_000).orElseThrow().events();
  }

  private List<String> kinds(JobId id) {
    return history(id).stream().map(JobEvent::kind).toList();
  }

  @Test
  void aRetryIsRefusedAfterTheStop() {
    var id = failed(LateInMemoryTest::fail);

    engine.stop(NO_GRACE);

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> engine.jobs().retry(CALLER, id))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_STOPPED));
    assertThat(find(id).status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void aRetryThatCommitsAfterTheStopIsLost() {
    var id = failed(LateInMemoryTest::fail);

    var retrial =
        engine
            .transactions()
            .asTenant(
                CALLER,
                tx -> {
                  var retried = engine.jobs().retry(tx, id);
                  engine.stop(NO_GRACE);
                  return retried;
                });

    assertThat(retrial).isInstanceOf(RetryOutcome.Queued.class);
    assertThat(find(id).status()).isEqualTo(JobStatus.FAILED);
    assertThat(find(id).lastError()).contains("lost: the process stopped before the job ended");
    assertThat(kinds(id)).containsExactly("queued", "started", "failed", "queued", "failed");
  }

  @Test
  void anAttemptThatWasGivenUpCannotChangeTheJob() throws Exception {
    var id =
        submit(
            (job, input) -> {
              job.progress(1, "told at once");
              job.progress(2, "told later");
              waitStubbornly();
              refused(() -> job.progress(3, "late"));
              refused(() -> job.event("log", "late"));
              refused(() -> job.checkpoint("late"));
              return input;
            });
    var thread = begun.get();
    engine.stop(NO_GRACE);
    var ended = find(id);

    goOn.complete(null);
    thread.join();

    assertThat(refusals).hasSize(3).containsOnly(ErrorCode.LEASE_LOST);
    assertThat(find(id)).isEqualTo(ended);
    assertThat(kinds(id)).containsExactly("queued", "started", "progress", "failed");
  }

  @Test
  void anEventDuringTheEndOfTheJobIsRefused() throws Exception {
    var id =
        submit(
            (job, input) -> {
              refused(() -> job.event("log", new Slow()));
              return input;
            });
    var thread = begun.get();
    engine.stop(NO_GRACE);

    goOn.complete(null);
    thread.join();

    assertThat(refusals).containsExactly(ErrorCode.LEASE_LOST);
    assertThat(kinds(id)).containsExactly("queued", "started", "failed");
  }

  @Test
  void aStepThatEndsAfterTheJobIsNotKept() throws Exception {
    var id =
        submit(
            (job, input) -> {
              try {
                return job.step(
                    "first",
                    String.class,
                    () -> {
                      waitStubbornly();
                      return "late";
                    });
              } catch (JobsException e) {
                refusals.add(e.code());
                throw e;
              }
            });
    var thread = begun.get();
    engine.stop(NO_GRACE);
    var ended = find(id);

    goOn.complete(null);
    thread.join();

    assertThat(refusals).containsExactly(ErrorCode.LEASE_LOST);
    assertThat(find(id)).isEqualTo(ended);
  }

  @Test
  void aCancelRequestIsRecordedOnce() throws Exception {
    var id =
        submit(
            (job, input) -> {
              waitStubbornly();
              job.throwIfCancelled();
              return input;
            });
    begun.get();

    for (int i = 0; i < 5; i++) {
      engine.jobs().cancel(CALLER, id);
    }
    goOn.complete(null);

    awaitStatus(id, JobStatus.CANCELLED);
    assertThat(kinds(id)).containsExactly("queued", "started", "cancel_requested", "cancelled");
  }

  @Test
  void aJobRetriedBeforeTheCommitOfItsDeletionIsDeleted() {
    var id =
        failed(
            (job, input) -> {
              if (begun.complete(Thread.currentThread())) {
                throw new IllegalStateException("no");
              }
              goOn.get();
              return input;
            });

    var deletion =
        engine
            .transactions()
            .asTenant(
                CALLER,
                tx -> {
                  var deleted = engine.jobs().delete(tx, id);
                  CompletableFuture.runAsync(() -> engine.jobs().retry(CALLER, id)).join();
                  awaitStatus(id, JobStatus.RUNNING);
                  return deleted;
                });

    assertThat(deletion).isInstanceOf(Deletion.Deleted.class);
    await().atMost(Duration.ofSeconds(30)).until(() -> engine.jobs().find(CALLER, id).isEmpty());
  }
}
