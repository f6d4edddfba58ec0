package io.leasehold.rest.jobs;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;

/** Cancels, retries and deletes jobs. */
public final class CommandJobs {

  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int NO_CONTENT = 204;

  private final JobService jobs;

  @Inject
  CommandJobs(@Restartable JobService jobs) {
    this.jobs = jobs;
  }

  /** Requests a job's cancellation. */
  public void cancel(Exchange exchange) throws IOException {
    switch (jobs.cancel(exchange.caller(), exchange.job())) {
      case Cancellation.Cancelled _ -> exchange.json(OK, new Outcome("cancelled"));
      case Cancellation.Requested _ -> exchange.json(OK, new Outcome("requested"));
      case Cancellation.TooLate _ -> throw RequestRefusal.of(Problem.TOO_LATE);
      case Cancellation.NotFound _ -> throw RequestRefusal.of(Problem.NOT_FOUND);
    }
  }

  /** Queues a job again. */
  public void retry(Exchange exchange) throws IOException {
    switch (jobs.retry(exchange.caller(), exchange.job())) {
      case RetryOutcome.Queued _ -> exchange.json(OK, new Outcome("queued"));
      case RetryOutcome.NotNeeded _ -> throw RequestRefusal.of(Problem.RETRY_NOT_NEEDED);
      case RetryOutcome.NotFound _ -> throw RequestRefusal.of(Problem.NOT_FOUND);
    }
  }

  /** Deletes a job; with force even a running one. */
  public void delete(Exchange exchange) throws IOException {
    var id = exchange.job();
    var deletion =
        exchange.query().flag("force")
            ? jobs.forceDelete(exchange.caller(), id)
            : jobs.delete(exchange.caller(), id);
    switch (deletion) {
      case Deletion.Deleted _ -> exchange.nothing(NO_CONTENT);
      case Deletion.Requested _ -> exchange.json(ACCEPTED, new Outcome("requested"));
      case Deletion.Running _ -> throw RequestRefusal.of(Problem.RUNNING);
      case Deletion.NotFound _ -> throw RequestRefusal.of(Problem.NOT_FOUND);
    }
  }

  private record Outcome(String outcome) {}
}
