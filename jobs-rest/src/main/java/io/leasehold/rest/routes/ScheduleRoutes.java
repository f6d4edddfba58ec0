package io.leasehold.rest.routes;

import static io.leasehold.rest.http.Access.CALLER;

import io.leasehold.rest.http.Route;
import io.leasehold.rest.schedules.ListSchedules;
import io.leasehold.rest.schedules.ShowSchedule;
import jakarta.inject.Inject;
import java.util.List;

/** The routes that read schedules. */
final class ScheduleRoutes {

  private static final String SCHEDULES = "/api/v1/schedules";

  private final List<Route> all;

  @Inject
  ScheduleRoutes(ListSchedules list, ShowSchedule show) {
    this.all =
        List.of(
            new Route("GET", SCHEDULES, CALLER, list).taking("cursor", "limit"),
            new Route("GET", SCHEDULES + "/{name}", CALLER, show));
  }

  List<Route> all() {
    return all;
  }
}
