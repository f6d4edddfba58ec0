package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaseKeepingTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> LONG = Handlers.type("long");

  @Test
  void renewsTheLeaseOfAJobThatTakesLonger() {
    var config =
        EngineConfig.defaults().lease(Duration.ofSeconds(1)).rescueEvery(Duration.ofMillis(200));
    var handlers =
        new Handlers()
            .with(
                LONG,
                (job, input) -> {
                  Thread.sleep(Duration.ofSeconds(3));
                  return "done";
                });
    try (var engine = RunningEngine.on(database, config, handlers)) {
      var id = engine.jobs().submit(CALLER, LONG.request("")).jobId();

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());

      var job = engine.jobs().find(CALLER, id).orElseThrow();
      assertThat(job.lastError()).isEmpty();
      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.attempts()).isEqualTo(1);
    }
  }
}
