package io.leasehold.rest.demo;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;

/** Makes a report in three steps and reports progress. */
final class MonthlyReport implements JobHandler<MonthlyReport.Month, MonthlyReport.Report> {

  static final JobType<Month, Report> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~leasehold.demo.reports.monthly.v1",
              Month.class,
              Report.class)
          .queue("reports")
          .timeout(Duration.ofMinutes(10))
          .retry(RetryPolicy.exponential(3));

  private static final Duration STEP = Duration.ofMillis(700);

  record Month(String month) {}

  record Report(String file, int rows) {}

  @Inject
  MonthlyReport() {}

  @Override
  public Report run(JobContext job, Month month) throws Exception {
    job.progress(0, "reading");
    int rows = job.step("read", Integer.class, () -> afterAWhile(month.month().length() * 125));
    job.event("rows_read", Map.of("rows", rows));
    job.progress(40, "summing up");
    job.step("sum", Integer.class, () -> afterAWhile(rows / 2));
    job.progress(80, "writing");
    var file = job.step("write", String.class, () -> afterAWhile(month.month() + ".pdf"));
    job.progress(100, "done");
    return new Report(file, rows);
  }

  private static <T> T afterAWhile(T value) throws InterruptedException {
    Thread.sleep(STEP);
    return value;
  }
}
