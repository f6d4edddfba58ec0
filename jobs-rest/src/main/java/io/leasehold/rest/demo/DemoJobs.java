package io.leasehold.rest.demo;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.time.Duration;

/** Submits the demonstration's jobs. */
public final class DemoJobs {

  private static final int PARTS = 300;

  private final JobService jobs;

  @Inject
  DemoJobs(JobService jobs) {
    this.jobs = jobs;
  }

  /**
   * Two jobs to look at.
   *
   * @param report is done within seconds
   * @param export runs for minutes
   */
  public record Submitted(JobId report, JobId export) {}

  /** Submits one job of each kind for a tenant, and one more that waits. */
  public Submitted submitFor(DemoTenant tenant) {
    var caller = tenant.caller();
    var export = submit(caller, SlowExport.TYPE.request(new SlowExport.Parts(PARTS)));
    var report = submit(caller, MonthlyReport.TYPE.request(new MonthlyReport.Month("2026-10")));
    submit(caller, FlakyImport.TYPE.request(new FlakyImport.Source("ledger", 1)));
    submit(caller, BookOrder.TYPE.request(new BookOrder.Order("Ann of " + tenant.word(), 42)));
    submit(
        caller,
        MonthlyReport.TYPE
            .request(new MonthlyReport.Month("2026-11"))
            .delay(Duration.ofMinutes(10)));
    return new Submitted(report, export);
  }

  private JobId submit(SecurityContext caller, JobRequest<?, ?> request) {
    return jobs.submit(caller, request).jobId();
  }
}
