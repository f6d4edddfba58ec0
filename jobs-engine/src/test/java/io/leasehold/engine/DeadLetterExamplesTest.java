package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.deadletters.DiscardOutcome;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/guide/dead-letters.md}. */
class DeadLetterExamplesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> REPORT = Handlers.type("reports");

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final AtomicBoolean mended = new AtomicBoolean();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults(),
          new Handlers()
              .with(
                  REPORT,
                  (job, input) -> {
                    if (!mended.get()) {
                      throw new IllegalStateException("a mistake");
                    }
                    return input;
                  }));
  private final DeadLetters deadLetters = engine.deadLetters();
  private final List<String> shown = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  private void show(String text) {
    shown.add(text);
  }

  private JobId dead() {
    var id = engine.jobs().submit(caller, REPORT.request("x")).jobId();
    awaitStatus(id, JobStatus.FAILED);
    return id;
  }

  private void awaitStatus(JobId id, JobStatus status) {
    await().until(() -> engine.jobs().find(caller, id).orElseThrow().status() == status);
  }

  @Test
  void manyOfAFilter() {
    var yesterday = Instant.now().minus(Duration.ofDays(1));
    var id = dead();
    mended.set(true);

    var failed = JobFilter.newest().handler(REPORT.handler()).createdAfter(yesterday);
    var page = deadLetters.list(caller, failed);
    var retried = deadLetters.retryAll(caller, failed);

    assertThat(page.jobs()).extracting(job -> job.id()).containsExactly(id);
    assertThat(retried).isEqualTo(1);
    awaitStatus(id, JobStatus.SUCCEEDED);
  }

  @Test
  void discards() {
    var id = dead();

    discard(id);
    discard(id);
    var running = engine.jobs().submit(caller, REPORT.request("x").delay(Duration.ofHours(1)));
    discard(running.jobId());

    assertThat(shown)
        .containsExactly("it is gone", "there is no such job", "it was left as it is: queued");
  }

  private void discard(JobId id) {
    switch (deadLetters.discard(caller, id)) {
      case DiscardOutcome.Discarded() -> show("it is gone");
      case DiscardOutcome.NotDead(var status) -> show("it was left as it is: " + status.word());
      case DiscardOutcome.NotFound() -> show("there is no such job");
    }
  }

  @Test
  void afterAMistakeWasMended() {
    var id = dead();
    mended.set(true);

    for (var count : deadLetters.counts(caller)) {
      if (count.handler().equals(REPORT.handler()) && count.tenant().equals(caller.tenant())) {
        show("%d %s".formatted(count.jobs(), count.status().word()));
      }
    }
    deadLetters.retryAll(caller, JobFilter.newest().handler(REPORT.handler()));

    assertThat(shown).containsExactly("1 failed");
    awaitStatus(id, JobStatus.SUCCEEDED);
  }
}
