package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.WhenLost;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;

/** Runs the script that its job has as input; what it leaves as "result" is the job's output. */
final class Scripts extends RunHandler<String, String> {

  static final JobType<String, String> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.runs.script.v1", String.class, String.class)
          .queue("scripts")
          .whenLost(WhenLost.ADOPT)
          .retry(RetryPolicy.exponential(3));

  /** The image, where it runs in a container. */
  static final String IMAGE = System.getProperty("leasehold.test.run-image", "busybox");

  @Inject
  Scripts(Runs runs) {
    super(runs);
  }

  @Override
  protected RunSpec spec(JobContext job, String script) {
    return RunSpec.of("sh", "-c", script).image(IMAGE);
  }

  @Override
  protected String result(JobContext job, String script, EndedRun run) throws IOException {
    var result = run.outputs().resolve("result");
    return Files.exists(result) ? Files.readString(result).strip() : "";
  }
}
