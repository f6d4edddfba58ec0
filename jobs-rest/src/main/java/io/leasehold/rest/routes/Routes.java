package io.leasehold.rest.routes;

import static io.leasehold.rest.http.Access.ADMIN;
import static io.leasehold.rest.http.Access.CALLER;
import static io.leasehold.rest.http.Access.OPEN;

import io.leasehold.rest.RestConfig;
import io.leasehold.rest.history.ShowDependencies;
import io.leasehold.rest.history.ShowEvents;
import io.leasehold.rest.history.ShowTasks;
import io.leasehold.rest.history.StreamEvents;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.jobs.CommandJobs;
import io.leasehold.rest.jobs.ListJobs;
import io.leasehold.rest.jobs.ShowBatch;
import io.leasehold.rest.jobs.ShowExplanation;
import io.leasehold.rest.jobs.ShowJob;
import io.leasehold.rest.jobs.ShowResult;
import io.leasehold.rest.outputs.ListOutputs;
import io.leasehold.rest.outputs.SendOutput;
import io.leasehold.rest.schedules.ListSchedules;
import io.leasehold.rest.schedules.ShowSchedule;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;

/**
 * The list of all routes: the server serves it, the API document describes it, and the tests try
 * it.
 */
public final class Routes {

  private static final String JOBS = "/api/v1/jobs";
  private static final String JOB = JOBS + "/{id}";
  private static final String SCHEDULES = "/api/v1/schedules";
  private static final String JSON = "application/json";
  private static final String BYTES = "application/octet-stream";
  private static final String NDJSON = "application/x-ndjson";

  private final RestConfig config;
  private final List<Route> service;
  private final List<Route> reads;
  private final List<Route> commands;

  @Inject
  Routes(
      RestConfig config,
      ServicePages pages,
      JobReads jobs,
      ScheduleReads schedules,
      CommandJobs commands) {
    this.config = config;
    this.service =
        List.of(
            new Route("GET", "/healthz", OPEN, pages::health),
            new Route("GET", "/readyz", OPEN, pages::readiness),
            new Route("GET", "/metrics", config.metricsOpen() ? OPEN : ADMIN, pages::metrics)
                .giving(ServicePages.METRICS),
            new Route("GET", "/openapi.yaml", OPEN, pages::document).giving(ServicePages.YAML));
    this.reads =
        List.of(
            new Route("GET", "/api/v1/handlers", CALLER, jobs.handlers()),
            new Route("GET", JOBS, CALLER, jobs.list())
                .taking(
                    "handler",
                    "queue",
                    "status",
                    "correlation_id",
                    "created_after",
                    "created_before",
                    "cursor",
                    "limit"),
            new Route("GET", JOB, CALLER, jobs.show()).taking("wait"),
            new Route("GET", JOB + "/result", CALLER, jobs.result()),
            new Route("GET", JOB + "/explanation", CALLER, jobs.explanation()),
            new Route("GET", JOB + "/outputs", CALLER, jobs.outputs().list()),
            new Route("GET", JOB + "/outputs/{name}", CALLER, jobs.outputs().send()).giving(BYTES),
            new Route("GET", JOB + "/dependencies", CALLER, jobs.dependencies())
                .taking("after", "limit"),
            new Route("GET", JOB + "/tasks", CALLER, jobs.tasks()),
            new Route("GET", JOB + "/events", CALLER, jobs.events())
                .taking("after", "limit", "follow")
                .giving(JSON, NDJSON),
            new Route("GET", JOB + "/events/stream", CALLER, jobs.stream())
                .taking("after")
                .giving("text/event-stream"),
            new Route("GET", SCHEDULES, CALLER, schedules.list()).taking("cursor", "limit"),
            new Route("GET", SCHEDULES + "/{name}", CALLER, schedules.show()),
            new Route("GET", "/api/v1/batches/{id}", CALLER, jobs.batch()));
    this.commands =
        List.of(
            new Route("POST", JOB + "/cancel", ADMIN, commands::cancel),
            new Route("POST", JOB + "/retry", ADMIN, commands::retry),
            new Route("DELETE", JOB, ADMIN, commands::delete).taking("force"));
  }

  /** Returns the routes that are served. */
  public List<Route> served() {
    return Stream.of(
            service,
            config.apiOn() ? reads : List.<Route>of(),
            config.apiOn() && config.commandsOn() ? commands : List.<Route>of())
        .flatMap(List::stream)
        .toList();
  }

  /** Resources that read jobs. */
  record JobReads(
      ListHandlers handlers,
      ListJobs list,
      ShowJob show,
      ShowResult result,
      ShowExplanation explanation,
      ShowDependencies dependencies,
      ShowTasks tasks,
      ShowEvents events,
      StreamEvents stream,
      OutputReads outputs,
      ShowBatch batch) {

    @Inject
    JobReads {}
  }

  /** Resources that read files of jobs. */
  record OutputReads(ListOutputs list, SendOutput send) {

    @Inject
    OutputReads {}
  }

  /** Resources that read schedules. */
  record ScheduleReads(ListSchedules list, ShowSchedule show) {

    @Inject
    ScheduleReads {}
  }
}
