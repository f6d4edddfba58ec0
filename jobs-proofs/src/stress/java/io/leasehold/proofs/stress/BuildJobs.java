package io.leasehold.proofs.stress;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.proofs.stress.Effects.EFFECTS;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryPolicy;
import java.time.Duration;

/** Builds of configurations, and runs that may only begin when their build has succeeded. */
final class BuildJobs extends AbstractModule {

  static final String NO_COMPILER = "there is no compiler";

  static final JobType<Configuration, String> BUILD =
      type("build", Configuration.class, String.class);

  static final JobType<Run, String> RUN = type("run", Run.class, String.class);

  /**
   * What to build.
   *
   * @param fails whether it cannot be built
   * @param millis how long it takes
   */
  record Configuration(String name, boolean fails, int millis) {}

  /**
   * What to run.
   *
   * @param millis how long it takes
   */
  record Run(JobId build, int millis) {}

  private static <I, O> JobType<I, O> type(String name, Class<I> input, Class<O> output) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.builds.%s.v1".formatted(name), input, output)
        .queue("builds")
        .retry(RetryPolicy.exponential(50).first(Duration.ofMillis(100)));
  }

  @Override
  protected void configure() {
    tenantTables(binder()).scoped(EFFECTS);
    Provider<Transactions> transactions = binder().getProvider(Transactions.class);
    Provider<JobService> jobs = binder().getProvider(JobService.class);
    handlerBinder(binder())
        .handle(BUILD)
        .with(
            (job, configuration) -> {
              Thread.sleep(configuration.millis());
              if (configuration.fails()) {
                throw new PermanentFailure(NO_COMPILER);
              }
              return configuration.name();
            });
    handlerBinder(binder())
        .handle(RUN)
        .with(
            (job, run) -> {
              var build = jobs.get().find(job.caller(), run.build()).map(Job::status);
              var isBuilt = build.filter(JobStatus.SUCCEEDED::equals).isPresent();
              leave(transactions.get(), job, isBuilt ? "run" : "run too early");
              Thread.sleep(run.millis());
              return run.build().toString();
            });
  }

  private static void leave(Transactions transactions, JobContext job, String kind) {
    transactions.asTenant(
        job.caller(),
        tx -> {
          EFFECTS.leave(tx, job, kind);
          return null;
        });
  }
}
