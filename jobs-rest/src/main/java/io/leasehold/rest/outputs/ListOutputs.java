package io.leasehold.rest.outputs;

import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Lists the output files of a job. */
public final class ListOutputs implements Resource {

  private static final int OK = 200;

  private final JobOutputs outputs;

  @Inject
  ListOutputs(JobOutputs outputs) {
    this.outputs = outputs;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    var all =
        outputs
            .list(exchange.caller(), exchange.job())
            .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
    exchange.json(OK, new Page(all.stream().map(View::of).toList()));
  }

  private record Page(List<View> outputs) {}

  private record View(String name, String mediaType, long size, String sha256, Instant keptAt) {

    static View of(JobOutput output) {
      return new View(
          output.name(), output.mediaType(), output.size(), output.sha256(), output.keptAt());
    }
  }
}
