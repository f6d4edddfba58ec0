package io.leasehold.rest.jobs;

import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.http.StoredJson;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/** Shows what a job's handler returned, as stored, or how else the job ended. */
public final class ShowResult implements Resource {

  private static final int OK = 200;
  private static final StoredJson NOTHING = new StoredJson("null");

  private final JobService jobs;

  @Inject
  ShowResult(@Restartable JobService jobs) {
    this.jobs = jobs;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    exchange.json(
        OK,
        switch (jobs.result(exchange.caller(), exchange.job(), StoredJson.class)) {
          case JobResult.Succeeded<StoredJson> succeeded ->
              new Output(
                  JobStatus.SUCCEEDED.word(),
                  Objects.requireNonNullElse(succeeded.output(), NOTHING));
          case JobResult.Ended<StoredJson> ended ->
              new Ending(ended.status().word(), ended.error());
          case JobResult.NotOver<StoredJson> _ -> throw RequestRefusal.of(Problem.NOT_OVER);
          case JobResult.NotFound<StoredJson> _ -> throw RequestRefusal.of(Problem.NOT_FOUND);
        });
  }

  private record Output(String status, StoredJson output) {}

  private record Ending(String status, Optional<String> error) {}
}
