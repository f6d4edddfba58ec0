package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/guide/job-lifecycle.md}. */
class JobLifecycleGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> FAILING = Handlers.type("failing");
  private static final JobType<String, String> UNHANDLED = Handlers.type("unhandled");

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults(),
          new Handlers()
              .with(
                  FAILING,
                  (job, input) -> {
                    throw new IllegalStateException("no paper");
                  }));
  private final JobService jobs = engine.jobs();
  private final List<String> shown = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  private void show(String text) {
    shown.add(text);
  }

  @Test
  void aCancellationHasFourAnswers() {
    var waiting = jobs.submit(caller, UNHANDLED.request("x")).jobId();
    cancel(waiting);
    cancel(waiting);
    cancel(JobId.of("00000000-0000-7000-8000-000000000001"));

    assertThat(shown)
        .containsExactly("it will not run", "it is over: cancelled", "there is no such job");
  }

  private void cancel(JobId id) {
    switch (jobs.cancel(caller, id)) {
      case Cancellation.Cancelled() -> show("it will not run");
      case Cancellation.Requested() -> show("it was told to stop");
      case Cancellation.TooLate(var status) -> show("it is over: " + status.word());
      case Cancellation.NotFound() -> show("there is no such job");
    }
  }

  @Test
  void aPageHasACursorForTheNext() {
    var yesterday = Instant.now().minus(Duration.ofDays(1));
    for (var i = 0; i < 51; i++) {
      jobs.submit(caller, FAILING.request("x"));
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                jobs.list(caller, JobFilter.newest().limit(100)).jobs().stream()
                    .allMatch(job -> job.status() == JobStatus.FAILED));

    var failed = JobFilter.newest().status(JobStatus.FAILED).createdAfter(yesterday).limit(50);
    var page = jobs.list(caller, failed);
    var next = page.next().map(failed::after);

    assertThat(page.jobs()).hasSize(50);
    assertThat(jobs.list(caller, next.orElseThrow()).jobs()).hasSize(1);
  }
}
