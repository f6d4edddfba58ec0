package io.leasehold.rest.routes;

import static io.leasehold.rest.http.Access.CALLER;

import io.leasehold.rest.http.Route;
import io.leasehold.rest.jobs.ListJobs;
import io.leasehold.rest.jobs.ShowBatch;
import io.leasehold.rest.jobs.ShowExplanation;
import io.leasehold.rest.jobs.ShowJob;
import io.leasehold.rest.jobs.ShowResult;
import jakarta.inject.Inject;
import java.util.List;

/** The routes that read jobs and batches. */
final class JobRoutes {

  static final String JOBS = "/api/v1/jobs";
  static final String JOB = JOBS + "/{id}";

  private final List<Route> all;

  @Inject
  JobRoutes(
      ListHandlers handlers,
      ListJobs list,
      ShowJob show,
      ShowResult result,
      ShowExplanation explanation,
      ShowBatch batch) {
    this.all =
        List.of(
            new Route("GET", "/api/v1/handlers", CALLER, handlers),
            new Route("GET", JOBS, CALLER, list)
                .taking(
                    "handler",
                    "queue",
                    "status",
                    "correlation_id",
                    "created_after",
                    "created_before",
                    "cursor",
                    "limit"),
            new Route("GET", JOB, CALLER, show).taking("wait"),
            new Route("GET", JOB + "/result", CALLER, result),
            new Route("GET", JOB + "/explanation", CALLER, explanation),
            new Route("GET", "/api/v1/batches/{id}", CALLER, batch));
  }

  List<Route> all() {
    return all;
  }
}
