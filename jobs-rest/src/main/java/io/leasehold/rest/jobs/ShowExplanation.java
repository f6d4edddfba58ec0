package io.leasehold.rest.jobs;

import io.leasehold.jobs.JobService;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Explains why a job does not run, or what it does instead. */
public final class ShowExplanation implements Resource {

  private static final int OK = 200;

  private final JobService jobs;

  @Inject
  ShowExplanation(@Restartable JobService jobs) {
    this.jobs = jobs;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    exchange.json(
        OK,
        jobs.explain(exchange.caller(), exchange.job())
            .map(View::of)
            .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND)));
  }

  private record View(
      String jobId,
      String status,
      String reason,
      String sentence,
      String queue,
      Optional<Instant> until,
      int ownBefore) {

    static View of(Explanation explanation) {
      return new View(
          explanation.job().toString(),
          explanation.status().word(),
          explanation.reason().name().toLowerCase(Locale.ROOT),
          explanation.sentence(),
          explanation.queue(),
          explanation.until(),
          explanation.ownBefore());
    }
  }
}
