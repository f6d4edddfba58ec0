package io.leasehold.rest.routes;

import static io.leasehold.rest.http.Access.ADMIN;
import static io.leasehold.rest.http.Access.OPEN;

import io.leasehold.rest.RestConfig;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.jobs.CommandJobs;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;

/**
 * The list of all routes: the server serves it, the API document describes it, and the tests try
 * it.
 */
public final class Routes {

  private static final String JOB = JobRoutes.JOB;

  private final RestConfig config;
  private final List<Route> service;
  private final List<Route> reads;
  private final List<Route> commands;

  @Inject
  Routes(
      RestConfig config,
      ServicePages pages,
      JobRoutes jobs,
      HistoryRoutes histories,
      ScheduleRoutes schedules,
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
        Stream.of(jobs.all(), histories.all(), schedules.all()).flatMap(List::stream).toList();
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
}
