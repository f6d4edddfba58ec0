package io.leasehold.rest.demo;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;

/** Takes minutes, reports each finished part, and resumes where it stopped when it is restarted. */
final class SlowExport implements JobHandler<SlowExport.Parts, SlowExport.Exported> {

  static final JobType<Parts, Exported> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~leasehold.demo.exports.slow.v1",
              Parts.class,
              Exported.class)
          .queue("exports")
          .timeout(Duration.ofHours(1))
          .retry(RetryPolicy.exponential(3));

  private static final Duration PART = Duration.ofSeconds(1);

  record Parts(int count) {}

  record Exported(int parts) {}

  @Inject
  SlowExport() {}

  @Override
  public Exported run(JobContext job, Parts parts) throws InterruptedException {
    int done = job.lastCheckpoint(Integer.class).orElse(0);
    while (done < parts.count()) {
      job.throwIfCancelled();
      Thread.sleep(PART);
      done++;
      job.checkpoint(done);
      job.event("part_done", Map.of("part", done));
      job.progress(100 * done / parts.count(), "%d of %d parts".formatted(done, parts.count()));
    }
    return new Exported(done);
  }
}
