package io.leasehold.runs;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.WhenLost;
import io.leasehold.testkit.TestDatabase;
import io.leasehold.testkit.TestJobs;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/guide/runs.md, as it stands there. */
@EnabledOnOs(OS.LINUX)
class RunsGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @TempDir static Path folder;

  record Model(String equations, int steps) {}

  static final class Simulate extends RunHandler<Model, Double> {

    static final JobType<Model, Double> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.models.runs.simulate.v1",
                Model.class,
                Double.class)
            .queue("simulations")
            .timeout(Duration.ofHours(6))
            .retry(RetryPolicy.exponential(3))
            .whenLost(WhenLost.ADOPT);

    @Inject
    Simulate(Runs runs) {
      super(runs);
    }

    @Override
    protected RunSpec spec(JobContext job, Model model) {
      return RunSpec.of("sh", "simulate.sh")
          .file("simulate.sh", SOLVER)
          .file("model.txt", model.equations())
          .with("STEPS", String.valueOf(model.steps()));
    }

    @Override
    protected Double result(JobContext job, Model model, EndedRun run) throws IOException {
      return Double.valueOf(Files.readString(run.outputs().resolve("energy")).strip());
    }

    private static final String SOLVER =
        """
        echo "solving $(cat model.txt) in $STEPS steps"
        echo 42.5 >"$LEASEHOLD_OUTPUTS/energy"
        """;
  }

  static final class SimulationsModule extends AbstractModule {

    @Override
    protected void configure() {
      handlerBinder(binder()).handle(Simulate.TYPE).with(Simulate.class);
    }

    @Provides
    @Singleton
    Runs runs(JobService jobs) {
      return Runs.of(new ProcessRunner(folder.resolve("runs")), jobs);
    }
  }

  @Test
  void runsAProgram() throws InterruptedException {
    var caller = SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
    try (var jobs = TestJobs.on(database, new SimulationsModule())) {
      var id = jobs.service().submit(caller, Simulate.TYPE.request(new Model("x = y", 7))).jobId();

      jobs.runDue();

      assertThat(jobs.service().result(caller, id, Double.class))
          .isEqualTo(new JobResult.Succeeded<>(42.5));
      assertThat(History.lines(jobs.service(), caller, id))
          .containsExactly("solving x = y in 7 steps");
      assertThat(jobs.instance(Runs.class).sweep()).hasSize(1);
    }
  }
}
