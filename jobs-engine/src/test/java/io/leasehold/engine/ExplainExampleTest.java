package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.spi.HandlerCatalogue;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/guide/explain.md}. */
class ExplainExampleTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> REPORT = Handlers.type("reports");

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private final RunningEngine engine =
      RunningEngine.on(
          database, EngineConfig.defaults(), new Handlers().with(REPORT, (job, input) -> input));
  private final JobService jobs = engine.jobs();
  private final HandlerCatalogue catalogue = engine.catalogue();
  private final List<String> shown = new ArrayList<>();

  @AfterEach
  void stop() {
    engine.close();
  }

  @BeforeEach
  void awaitSignIn() {
    await().until(() -> catalogue.handlers(caller).stream().anyMatch(handler -> handler.isLive()));
  }

  private void show(String text) {
    shown.add(text);
  }

  private JobId later() {
    return jobs.submit(caller, REPORT.request("x").delay(Duration.ofHours(1))).jobId();
  }

  @Test
  void showsTheExplanationAsASentence() {
    var id = later();

    var explanation = jobs.explain(caller, id).orElseThrow();
    show(explanation.sentence());

    assertThat(shown.getFirst()).startsWith("the job was submitted for a later time, not before ");
  }

  @Test
  void choosesAdviceByTheReason() {
    assertThat(advice(jobs.explain(caller, later()).orElseThrow())).startsWith("later: ");
    var unhandled = jobs.submit(caller, Handlers.type("unhandled").request("x")).jobId();
    assertThat(advice(jobs.explain(caller, unhandled).orElseThrow()))
        .isEqualTo("is the worker deployed?");
  }

  private static String advice(Explanation explanation) {
    return switch (explanation.reason()) {
      case WAITS_FOR_JOBS -> "look at those that it waits for";
      case NOT_DUE, WAITS_FOR_RETRY, PUT_OFF, ASIDE ->
          "later: " + explanation.until().orElseThrow();
      case QUEUE_PAUSED, TENANT_PAUSED -> "ask the platform team";
      case UNKNOWN_HANDLER, NO_WORKER -> "is the worker deployed?";
      case SLOTS_FULL, TURN_NOT_COME -> "behind %d of your own".formatted(explanation.ownBefore());
      case ABOUT_TO_START, RUNNING, CANCEL_REQUESTED, WORKER_LOST, OVER -> "nothing to do";
    };
  }

  @Test
  void listsTheHandlers() {
    for (var handler : catalogue.handlers(caller)) {
      var now = handler.isLive() ? "" : ", no worker now";
      show("%s in %s%s".formatted(handler.id(), handler.queue(), now));
    }

    assertThat(shown).containsExactly(REPORT.handler() + " in reports");
  }
}
