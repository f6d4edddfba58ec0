package io.leasehold.rest.demo;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import jakarta.inject.Inject;
import java.io.IOException;

/** Fails at first, and succeeds when it is retried. */
final class FlakyImport implements JobHandler<FlakyImport.Source, FlakyImport.Imported> {

  static final JobType<Source, Imported> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~leasehold.demo.imports.flaky.v1",
              Source.class,
              Imported.class)
          .queue("imports")
          .retry(RetryPolicy.exponential(4));

  record Source(String name, int failures) {}

  record Imported(String name, int attempts) {}

  @Inject
  FlakyImport() {}

  @Override
  public Imported run(JobContext job, Source source) throws IOException {
    if (job.attempt() <= source.failures()) {
      throw new IOException("%s does not answer".formatted(source.name()));
    }
    return new Imported(source.name(), job.attempt());
  }
}
