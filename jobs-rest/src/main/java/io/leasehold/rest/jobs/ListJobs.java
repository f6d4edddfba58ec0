package io.leasehold.rest.jobs;

import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.limit.LongReads;
import io.leasehold.rest.parse.Query;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Lists a tenant's jobs, newest first. With a filter that few jobs match, all jobs are scanned. */
public final class ListJobs implements Resource {

  private static final int OK = 200;
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 200;
  private static final Pattern QUEUE = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
  private static final Pattern CORRELATION = Pattern.compile("[^\\p{Cntrl}\\p{Cs}]{1,255}");

  /** A year that all calendars involved support. */
  private static final Pattern INSTANT = Pattern.compile("(19[7-9]|2[0-9]{2})[0-9]-.{1,40}");

  private final JobService jobs;
  private final LongReads reads;

  @Inject
  ListJobs(@Restartable JobService jobs, LongReads reads) {
    this.jobs = jobs;
    this.reads = reads;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    var query = exchange.query();
    var filter = filter(query);
    var after = query.read("cursor", text -> ListCursor.read(text, filter), ListCursor.RULE);
    var caller = exchange.caller();
    var page = reads.read(caller, () -> jobs.list(caller, after.map(filter::after).orElse(filter)));
    exchange.json(
        OK,
        new Page(
            page.jobs().stream().map(JobView::of).toList(),
            page.next().map(next -> ListCursor.write(next, filter))));
  }

  private static JobFilter filter(Query query) {
    var handler = query.read("handler", HandlerId::new, "handler must be a handler's id");
    var queue = query.read("queue", name -> matching(QUEUE, name), "queue must be a queue's name");
    var status =
        query.read(
            "status",
            JobStatus::of,
            "status must be queued, running, succeeded, failed, timed_out or cancelled");
    var correlation =
        query.read(
            "correlation_id",
            id -> matching(CORRELATION, id),
            "correlation_id must have 1 to 255 characters");
    return new JobFilter(
        handler,
        queue,
        status,
        correlation,
        instant(query, "created_after"),
        instant(query, "created_before"),
        Optional.empty(),
        query.number("limit", 1, LIMIT_MOST).orElse(LIMIT));
  }

  private static Optional<Instant> instant(Query query, String name) {
    return query.read(
        name, ListJobs::instantOf, name + " must be a time like 2026-11-19T08:00:00Z");
  }

  private static Instant instantOf(String text) {
    try {
      return Instant.parse(matching(INSTANT, text));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String matching(Pattern pattern, String text) {
    if (!pattern.matcher(text).matches()) {
      throw new IllegalArgumentException("it has another form");
    }
    return text;
  }

  /**
   * A page of the list.
   *
   * @param jobs the jobs, newest first
   * @param next the cursor of the next page, if there is one
   */
  private record Page(List<JobView> jobs, Optional<String> next) {}
}
