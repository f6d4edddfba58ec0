package io.leasehold.rest.history;

import io.leasehold.jobs.JobService;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Shows the latest status of each task of a job. */
public final class ShowTasks implements Resource {

  private static final int OK = 200;

  private final JobService jobs;

  @Inject
  ShowTasks(@Restartable JobService jobs) {
    this.jobs = jobs;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    var tasks =
        jobs.tasks(exchange.caller(), exchange.job())
            .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
    exchange.json(OK, new Page(tasks.stream().map(View::of).toList()));
  }

  private record Page(List<View> tasks) {}

  private record View(
      String taskId,
      int position,
      String status,
      int attempt,
      Instant at,
      Optional<String> snapshot,
      Optional<String> error) {

    static View of(JobTask task) {
      return new View(
          task.id(),
          task.position(),
          task.status().word(),
          task.attempt(),
          task.at(),
          task.snapshot(),
          task.error());
    }
  }
}
