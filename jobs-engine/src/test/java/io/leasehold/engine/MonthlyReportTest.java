package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.time.YearMonth;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of the README. */
class MonthlyReportTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).correlationId("request 7").build();

  record ReportInput(UUID customer, YearMonth month) {}

  record ReportOutput(URI file) {}

  static final class MonthlyReport implements JobHandler<ReportInput, ReportOutput> {

    static final JobType<ReportInput, ReportOutput> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.reports.monthly.report.v1",
                ReportInput.class,
                ReportOutput.class)
            .queue("reports")
            .timeout(Duration.ofMinutes(10))
            .retry(RetryPolicy.exponential(5));

    @Override
    public ReportOutput run(JobContext job, ReportInput input) {
      job.progress(50, "rendering");
      return new ReportOutput(
          URI.create("file:///%s-%s".formatted(input.month(), input.customer())));
    }
  }

  static final class ReportsModule extends AbstractModule {
    @Override
    protected void configure() {
      handlerBinder(binder()).handle(MonthlyReport.TYPE).with(MonthlyReport.class);
    }
  }

  @Test
  void isRunByAWorker() throws Exception {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), new ReportsModule())) {
      var jobs = engine.jobs();
      var input = new ReportInput(new UUID(0, 7), YearMonth.of(2026, 10));

      var submitted =
          engine
              .transactions()
              .asTenant(
                  CALLER,
                  tx ->
                      jobs.submit(
                          tx, MonthlyReport.TYPE.request(input).key("2026-10").priority(5)));

      await().until(() -> jobs.find(CALLER, submitted.jobId()).orElseThrow().status().isFinal());
      var job = jobs.find(CALLER, submitted.jobId()).orElseThrow();
      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(job.correlationId()).contains("request 7");
      assertThat(job.attempts()).isEqualTo(1);
      assertThat(job.progress().orElseThrow().percent()).isEqualTo(50);
      assertThat(jobs.result(CALLER, submitted.jobId(), ReportOutput.class))
          .isEqualTo(
              new JobResult.Succeeded<>(
                  new ReportOutput(
                      URI.create("file:///2026-10-00000000-0000-0000-0000-000000000007"))));
    }
  }
}
