package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tenants take turns in a queue, and priority orders a tenant's own jobs. */
class TurnsBeforePriorityTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> REPORT = Handlers.type("reports");
  private static final int MOST = 1_000;

  private final SecurityContext loud = tenant(1);
  private final SecurityContext quiet = tenant(2);
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults().concurrency(1),
          new Handlers()
              .with(
                  REPORT,
                  (job, input) -> {
                    ran.add(input);
                    return input;
                  }));

  @AfterEach
  void close() {
    engine.close();
  }

  /** The quiet tenant's id is the larger one, and its job the youngest with the lowest priority. */
  @Test
  void aTenantGetsItsTurnWhateverPriorityOthersHave() {
    engine.queues().pause("reports", "test");
    for (var i = 0; i < 20; i++) {
      submit(loud, "loud", MOST);
    }
    submit(quiet, "quiet", -MOST);

    engine.queues().resume("reports");
    await().atMost(Duration.ofSeconds(30)).until(() -> ran.size() == 21);

    assertThat(ran.indexOf("quiet")).isLessThan(10); // A claim may take several jobs at once.
  }

  /** The jobs of higher priority are the younger ones. */
  @Test
  void priorityOrdersATenantsOwnJobs() {
    engine.queues().pause("reports", "test");
    submit(loud, "low", -1);
    submit(loud, "normal", 0);
    submit(loud, "high", 1);

    engine.queues().resume("reports");
    await().atMost(Duration.ofSeconds(30)).until(() -> ran.size() == 3);

    assertThat(ran).containsExactly("high", "normal", "low");
  }

  private static SecurityContext tenant(int n) {
    return SecurityContext.of("ann", new TenantId(new UUID(45, n))).build();
  }

  private void submit(SecurityContext caller, String input, int priority) {
    engine.jobs().submit(caller, REPORT.request(input).priority(priority));
  }
}
