package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.Explanation.Reason;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Why a job in memory does not run. */
class ExplainInMemoryTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration HOUR = Duration.ofHours(1);
  private static final JobType<String, String> TYPE =
      JobType.inMemory(
              "gts.x.core.jobs.handler.v1~acme.tests.memory.explained.v1",
              String.class,
              String.class)
          .retry(RetryPolicy.exponential(3).first(HOUR));

  private final Works works = new Works();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private OpenService service;

  @BeforeEach
  void open() {
    var config = EngineConfig.defaults().memoryConcurrency(1).cancelGrace(HOUR);
    service = OpenService.on(database, config, new Handlers().with(TYPE, works));
  }

  @AfterEach
  void close() {
    goOn.countDown();
    service.close();
  }

  private JobRequest<String, String> request(JobHandler<String, String> work) {
    return TYPE.request(works.of(work));
  }

  private JobId submit(JobRequest<String, String> request) {
    return service.jobs().submit(CALLER, request).jobId();
  }

  private JobId holding() {
    return submit(
        request(
            (job, input) -> {
              goOn.await();
              return input;
            }));
  }

  private Explanation explain(JobId id) {
    return service.jobs().explain(CALLER, id).orElseThrow();
  }

  private void awaitReason(JobId id, Reason reason) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(explain(id).reason()).isEqualTo(reason));
  }

  @Test
  void saysThatTheEngineIsNotStarted() {
    var id = holding();

    awaitReason(id, Reason.NO_WORKER);

    service.start();
    awaitReason(id, Reason.RUNNING);
  }

  @Test
  void saysThatTheJobIsNotDue() {
    service.start();

    var explanation = explain(submit(request((job, input) -> input).delay(HOUR)));

    assertThat(explanation.reason()).isEqualTo(Reason.NOT_DUE);
    assertThat(explanation.sentence())
        .isEqualTo(
            "the job was submitted for a later time, not before "
                + explanation.until().orElseThrow());
  }

  @Test
  void saysThatTheJobWaitsForARetry() {
    service.start();

    var id =
        submit(
            request(
                (job, input) -> {
                  throw new IllegalStateException("no");
                }));

    awaitReason(id, Reason.WAITS_FOR_RETRY);
    assertThat(explain(id).until()).isPresent();
  }

  @Test
  void saysThatTheHandlerPutTheJobOff() {
    service.start();

    var id =
        submit(
            request(
                (job, input) -> {
                  throw new RetryLater(HOUR);
                }));

    awaitReason(id, Reason.PUT_OFF);
    var explanation = explain(id);
    assertThat(explanation.sentence())
        .isEqualTo(
            "the handler could not work, and is asked again later, not before "
                + explanation.until().orElseThrow());
  }

  @Test
  void saysThatTheHandlerPutTheJobOffAfterAFailure() {
    service.start();
    var id =
        submit(
            request(
                (job, input) -> {
                  if (job.attempt() == 1) {
                    throw new IllegalStateException("no");
                  }
                  throw new RetryLater(HOUR);
                }));
    awaitReason(id, Reason.WAITS_FOR_RETRY);

    service.jobs().retry(CALLER, id);

    awaitReason(id, Reason.PUT_OFF);
  }

  @Test
  void saysThatAllSlotsAreTaken() {
    service.start();
    var running = holding();
    awaitReason(running, Reason.RUNNING);

    assertThat(explain(holding()).reason()).isEqualTo(Reason.SLOTS_FULL);
  }

  @Test
  void saysThatACancelWasRequested() {
    service.start();
    var id = holding();
    awaitReason(id, Reason.RUNNING);

    service.jobs().cancel(CALLER, id);

    assertThat(explain(id).reason()).isEqualTo(Reason.CANCEL_REQUESTED);
  }
}
