package io.leasehold.rest.history;

import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.history.JobDependency;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.limit.StrictUuid;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Lists the jobs that a job waits for, or waited for. */
public final class ShowDependencies implements Resource {

  private static final int OK = 200;
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 200;
  private static final String RULE = "after must be the next of a page, a job's id";

  private final JobService jobs;

  @Inject
  ShowDependencies(@Restartable JobService jobs) {
    this.jobs = jobs;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    var after = exchange.query().read("after", ShowDependencies::id, RULE);
    var limit = exchange.query().number("limit", 1, LIMIT_MOST).orElse(LIMIT);
    var page =
        jobs.dependencies(exchange.caller(), exchange.job(), after, limit)
            .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
    exchange.json(
        OK,
        new Page(page.jobs().stream().map(View::of).toList(), page.next().map(JobId::toString)));
  }

  private static JobId id(String text) {
    if (!StrictUuid.is(text)) {
      throw new IllegalArgumentException(RULE);
    }
    return JobId.of(text);
  }

  /**
   * A page of the list.
   *
   * @param jobs the jobs, ordered by id
   * @param next the cursor of the next page, if there is one
   */
  private record Page(List<View> jobs, Optional<String> next) {}

  private record View(String jobId, Optional<String> handlerId, Optional<String> status) {

    static View of(JobDependency dependency) {
      return new View(
          dependency.job().toString(),
          dependency.handler().map(HandlerId::value),
          dependency.status().map(JobStatus::word));
    }
  }
}
