package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.WhenLost;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.Explanation.Reason;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that run on when their workers stop or are lost, and are adopted by others. */
@Timeout(120)
class AdoptionTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final JobType<String, String> TYPE =
      Handlers.type("adopted").whenLost(WhenLost.ADOPT);

  private static final EngineConfig CONFIG =
      EngineConfig.defaults()
          .lease(Duration.ofSeconds(3))
          .rescueEvery(Duration.ofMillis(200))
          .pollEvery(Duration.ofMillis(100))
          .cancelGrace(Duration.ofMillis(200));

  /** Why each attempt was stopped, in the handlers' own words. */
  private final BlockingQueue<Optional<StopReason>> stops = new LinkedBlockingQueue<>();

  private final CountDownLatch begun = new CountDownLatch(1);

  @Test
  void jobContinuesOnTheNextWorkerWhenItsWorkerStops() throws Exception {
    var id = orphaned(TYPE.request(""));

    try (var next = engine(this::answer)) {
      var job = end(next, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(next.jobs().result(CALLER, id, String.class).toString())
          .contains("adopted: true, attempt 1");
      assertThat(kinds(next, id))
          .containsExactly("queued", "started", "released", "reclaimed", "succeeded");
    }
  }

  @Test
  void jobContinuesOnTheNextWorkerWhenItsWorkerIsLost() throws Exception {
    try (var engine = engine(this::waitOrAnswer)) {
      var id = engine.jobs().submit(CALLER, TYPE.request("")).jobId();
      begun.await();

      // As if it were of a worker that is silent.
      Works.ask(
          database,
          """
          UPDATE leasehold.lease SET worker_id = gen_random_uuid(), handler_begun = true,
            locked_until = now() - interval '1 s'\
          """);
      var job = end(engine, id);

      assertThat(stops.take()).contains(StopReason.LOST);
      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(kinds(engine, id))
          .containsExactly("queued", "started", "worker_lost", "reclaimed", "succeeded");
    }
  }

  @Test
  void jobWithoutAWorkerIsShownAsRunningWithTheReason() throws Exception {
    var id = orphaned(TYPE.request(""));
    try (var client = RunningEngine.on(database, CONFIG, new Handlers())) {
      var job = client.jobs().find(CALLER, id).orElseThrow();

      assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(client.jobs().explain(CALLER, id).orElseThrow().reason())
          .isEqualTo(Reason.NO_WORKER);
    }
    Works.ask(database, "DELETE FROM leasehold.lease");
  }

  @Test
  void timeLimitCountsFromTheStartOfTheAttempt() throws Exception {
    var id = orphaned(TYPE.request("").timeout(Duration.ofMinutes(1)));
    Works.ask(database, "UPDATE leasehold.lease SET first_started_at = now() - interval '1 h'");

    try (var next = engine(this::hold)) {
      assertThat(end(next, id).status()).isEqualTo(JobStatus.TIMED_OUT);
      assertThat(stops.take()).contains(StopReason.TIMED_OUT);
    }
  }

  @Test
  void cancelWithoutAWorkerReachesTheAdoptedJob() throws Exception {
    var id = orphaned(TYPE.request(""));

    try (var next = engine(this::hold)) {
      assertThat(next.jobs().cancel(CALLER, id)).isInstanceOf(Cancellation.Requested.class);

      assertThat(end(next, id).status()).isEqualTo(JobStatus.CANCELLED);
      assertThat(stops.take()).contains(StopReason.CANCELLED);
    }
  }

  @Test
  void jobIsAdoptedFromAPausedQueue() throws Exception {
    var id = orphaned(TYPE.request(""));

    try (var next = engine(this::answer)) {
      next.queues().pause(TYPE.queue(), "ann");
      try {
        assertThat(end(next, id).status()).isEqualTo(JobStatus.SUCCEEDED);
      } finally {
        next.queues().resume(TYPE.queue());
      }
    }
  }

  @Test
  void failureAfterAnAdoptionStartsANewAttempt() throws Exception {
    var type = TYPE.retry(RetryPolicy.exponential(2));
    var id = orphaned(type, type.request(""));

    try (var next =
        engine(
            type,
            job -> {
              if (job.isAdopted()) {
                throw new IllegalStateException("what it had begun is gone");
              }
              return answer(job);
            })) {
      var job = end(next, id);

      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(2);
      assertThat(next.jobs().result(CALLER, id, String.class).toString())
          .contains("adopted: false, attempt 2");
      assertThat(kinds(next, id))
          .containsExactly(
              "queued",
              "started",
              "released",
              "reclaimed",
              "retry_scheduled",
              "started",
              "succeeded");
    }
  }

  /** What a handler does with its job. */
  @FunctionalInterface
  private interface Work {
    String on(JobContext job) throws Exception;
  }

  private RunningEngine engine(Work work) {
    return engine(TYPE, work);
  }

  private static RunningEngine engine(JobType<String, String> type, Work work) {
    return RunningEngine.on(
        database, CONFIG, new Handlers().with(type, (job, input) -> work.on(job)));
  }

  // Has begun, and its worker has stopped.
  private JobId orphaned(JobRequest<String, String> request) throws Exception {
    return orphaned(TYPE, request);
  }

  private JobId orphaned(JobType<String, String> type, JobRequest<String, String> request)
      throws Exception {
    try (var engine = engine(type, this::hold)) {
      var id = engine.jobs().submit(CALLER, request).jobId();
      begun.await();
      engine.stop(Duration.ZERO);
      assertThat(stops.take()).contains(StopReason.RELEASED);
      return id;
    }
  }

  private String waitOrAnswer(JobContext job) throws InterruptedException {
    return job.isAdopted() ? answer(job) : hold(job);
  }

  private String hold(JobContext job) throws InterruptedException {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
      return "never";
    } finally {
      stops.add(job.stopped());
    }
  }

  private String answer(JobContext job) {
    return "adopted: %s, attempt %d".formatted(job.isAdopted(), job.attempt());
  }

  private static Job end(RunningEngine engine, JobId id) {
    await()
        .atMost(LONG)
        .until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private static List<String> kinds(RunningEngine engine, JobId id) {
    return engine.jobs().events(CALLER, id, EventCursor.BEGIN, 100).orElseThrow().events().stream()
        .map(JobEvent::kind)
        .toList();
  }
}
