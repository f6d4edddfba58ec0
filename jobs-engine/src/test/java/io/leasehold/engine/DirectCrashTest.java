package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of the jobs of a process that runs them itself, and is killed. */
class DirectCrashTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @Test
  void jobsOfAKilledProcessEndInTheNext() throws Exception {
    JobId resumed;
    JobId givenUp;
    try (var process =
        ClientProcess.start(DirectMain.class, database.jdbcUrl(), caller.tenant().toString())) {
      resumed = JobId.of(process.nextLine());
      givenUp = JobId.of(process.nextLine());
      process.kill();
    }
    var handlers =
        new Handlers()
            .with(DirectMain.RESUMED, (job, input) -> input + " with attempt " + job.attempt())
            .with(DirectMain.GIVEN_UP, (job, input) -> input);

    try (var engine = RunningEngine.on(database, DirectMain.CONFIG, handlers)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  engine.jobs().find(caller, resumed).orElseThrow().status().isFinal()
                      && engine.jobs().find(caller, givenUp).orElseThrow().status().isFinal());

      assertThat(engine.jobs().result(caller, resumed, String.class).toString())
          .matches(".*on with attempt [2-9].*");
      assertThat(engine.jobs().find(caller, givenUp).orElseThrow().status())
          .isEqualTo(JobStatus.FAILED);
    }
  }
}
