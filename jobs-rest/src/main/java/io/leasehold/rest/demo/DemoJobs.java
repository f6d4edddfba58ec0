package io.leasehold.rest.demo;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Submits the demonstration's jobs. */
public final class DemoJobs {

  private static final int PARTS = 300;

  /** Direct mode keeps no queue. */
  private static final Set<ErrorCode> NOT_NOW =
      Set.of(ErrorCode.DIRECT_FULL, ErrorCode.QUEUE_PAUSED);

  private final JobService jobs;

  @Inject
  DemoJobs(JobService jobs) {
    this.jobs = jobs;
  }

  /**
   * The result of submitting a tenant's jobs.
   *
   * @param report a job that finishes within seconds
   * @param export a job that runs for minutes
   * @param refused why jobs were refused, one reason for each: in direct mode there may be no free
   *     slot
   */
  public record Submitted(Optional<JobId> report, Optional<JobId> export, List<String> refused) {

    public Submitted {
      refused = List.copyOf(refused);
    }
  }

  /**
   * Submits one job of each kind for a tenant, and one more that waits.
   *
   * @throws JobsException if a job is refused for another reason than that it cannot start at once
   */
  public Submitted submitFor(DemoTenant tenant) {
    var caller = tenant.caller();
    var refused = new ArrayList<String>();
    var export = submit(caller, SlowExport.TYPE.request(new SlowExport.Parts(PARTS)), refused);
    var report =
        submit(caller, MonthlyReport.TYPE.request(new MonthlyReport.Month("2026-10")), refused);
    submit(caller, FlakyImport.TYPE.request(new FlakyImport.Source("ledger", 1)), refused);
    var order = new BookOrder.Order("Ann of " + tenant.word(), 42);
    submit(caller, BookOrder.TYPE.request(order), refused);
    var next = MonthlyReport.TYPE.request(new MonthlyReport.Month("2026-11"));
    submit(caller, next.delay(Duration.ofMinutes(10)), refused);
    return new Submitted(report, export, refused);
  }

  private Optional<JobId> submit(
      SecurityContext caller, JobRequest<?, ?> request, List<String> refused) {
    try {
      return Optional.of(jobs.submit(caller, request).jobId());
    } catch (JobsException e) {
      if (!NOT_NOW.contains(e.code())) {
        throw e;
      }
      refused.add(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
