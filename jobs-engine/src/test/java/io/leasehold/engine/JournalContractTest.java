package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a running attempt may write about its job: the same for stored jobs and jobs in memory. */
class JournalContractTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private static final JobType<String, String> STORED = retried(Handlers.type("contract"));
  private static final JobType<String, String> MEMORY =
      retried(
          JobType.inMemory(
              "gts.x.core.jobs.handler.v1~acme.tests.memory.contract.v1",
              String.class,
              String.class));

  private static JobType<String, String> retried(JobType<String, String> type) {
    return type.retry(RetryPolicy.exponential(2).first(Duration.ofMillis(1)));
  }

  private static Stream<Named<JobType<String, String>>> types() {
    return Stream.of(Named.of("stored", STORED), Named.of("in memory", MEMORY));
  }

  private interface Work {
    void run(JobContext job) throws Exception;
  }

  private final AtomicReference<Work> work = new AtomicReference<>(job -> {});
  private RunningEngine engine;

  @BeforeEach
  void start() {
    var handlers = new Handlers();
    for (var type : List.of(STORED, MEMORY)) {
      handlers.with(
          type,
          (job, input) -> {
            work.get().run(job);
            return input;
          });
    }
    engine = RunningEngine.on(database, EngineConfig.defaults(), handlers);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private JobId ended(JobType<String, String> type, Work body) {
    work.set(body);
    var id = engine.jobs().submit(CALLER, type.request("input")).jobId();
    await().until(() -> job(id).status().isFinal());
    assertThat(job(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    return id;
  }

  private Job job(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private List<JobEvent> told(JobId id, String kind) {
    var page = engine.jobs().events(CALLER, id, EventCursor.BEGIN, 100);
    return page.orElseThrow().events().stream().filter(event -> event.kind().equals(kind)).toList();
  }

  @ParameterizedTest
  @MethodSource("types")
  void anEventHasUpTo65536CharactersAsJson(JobType<String, String> type) {
    var refused = new CopyOnWriteArrayList<ErrorCode>();
    var id =
        ended(
            type,
            job -> {
              job.event("log", "x".repeat(65_534));
              try {
                job.event("log", "x".repeat(65_535));
              } catch (JobsException e) {
                refused.add(e.code());
              }
            });

    assertThat(refused).containsExactly(ErrorCode.TOO_LARGE);
    assertThat(told(id, "log")).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("types")
  void anEventKindOfThePlatformIsRefused(JobType<String, String> type) {
    var refused = new CopyOnWriteArrayList<String>();
    ended(
        type,
        job -> {
          for (var kind : List.of("started", "succeeded", "progress", "")) {
            try {
              job.event(kind, "body");
            } catch (IllegalArgumentException _) {
              refused.add(kind);
            }
          }
        });

    assertThat(refused).containsExactly("started", "succeeded", "progress", "");
  }

  @ParameterizedTest
  @MethodSource("types")
  void theLastProgressIsKept(JobType<String, String> type) {
    var id =
        ended(
            type,
            job -> {
              job.progress(10, "begun");
              job.progress(70, "nearly");
            });

    assertThat(job(id).progress()).contains(new Job.Progress((short) 70, Optional.of("nearly")));
  }

  @ParameterizedTest
  @MethodSource("types")
  void aStepIsDoneOnceAndACheckpointIsKeptOverAttempts(JobType<String, String> type) {
    var done = new CopyOnWriteArrayList<String>();
    var found = new ArrayList<Optional<String>>();
    ended(
        type,
        job -> {
          found.add(job.lastCheckpoint(String.class));
          var value =
              job.step(
                  "first",
                  String.class,
                  () -> {
                    done.add("first");
                    return "of attempt " + job.attempt();
                  });
          job.checkpoint(value);
          if (job.attempt() == 1) {
            throw new IllegalStateException("once more");
          }
        });

    assertThat(done).containsExactly("first");
    assertThat(found).containsExactly(Optional.empty(), Optional.of("of attempt 1"));
  }
}
