package io.leasehold.runs;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import java.util.List;

/** What a test reads of a job's history. */
final class History {

  private History() {}

  static List<JobEvent> of(JobService jobs, SecurityContext caller, JobId id) {
    return jobs.events(caller, id, EventCursor.BEGIN, 1_000).orElseThrow().events();
  }

  static List<String> kinds(JobService jobs, SecurityContext caller, JobId id) {
    return of(jobs, caller, id).stream().map(JobEvent::kind).toList();
  }

  /** The lines of the log, in their order. */
  static List<String> lines(JobService jobs, SecurityContext caller, JobId id) {
    return of(jobs, caller, id).stream()
        .filter(event -> event.kind().equals("log"))
        .map(event -> event.body().replaceAll("^.*\"text\":\"|\"}$", ""))
        .toList();
  }
}
