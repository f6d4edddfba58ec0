package io.leasehold.rest.routes;

import static io.leasehold.rest.http.Access.CALLER;

import io.leasehold.rest.history.ShowDependencies;
import io.leasehold.rest.history.ShowEvents;
import io.leasehold.rest.history.ShowTasks;
import io.leasehold.rest.history.StreamEvents;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.outputs.ListOutputs;
import io.leasehold.rest.outputs.SendOutput;
import jakarta.inject.Inject;
import java.util.List;

/** The routes that read the history of a job, and the files that it left. */
final class HistoryRoutes {

  private static final String JOB = JobRoutes.JOB;
  private static final String JSON = "application/json";
  private static final String BYTES = "application/octet-stream";
  private static final String NDJSON = "application/x-ndjson";

  private final List<Route> all;

  @Inject
  HistoryRoutes(
      ListOutputs outputs,
      SendOutput output,
      ShowDependencies dependencies,
      ShowTasks tasks,
      ShowEvents events,
      StreamEvents stream) {
    this.all =
        List.of(
            new Route("GET", JOB + "/outputs", CALLER, outputs),
            new Route("GET", JOB + "/outputs/{name}", CALLER, output).giving(BYTES),
            new Route("GET", JOB + "/dependencies", CALLER, dependencies).taking("after", "limit"),
            new Route("GET", JOB + "/tasks", CALLER, tasks),
            new Route("GET", JOB + "/events", CALLER, events)
                .taking("after", "limit", "follow")
                .giving(JSON, NDJSON),
            new Route("GET", JOB + "/events/stream", CALLER, stream)
                .taking("after")
                .giving("text/event-stream"));
  }

  List<Route> all() {
    return all;
  }
}
