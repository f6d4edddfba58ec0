package io.leasehold.rest.jobs;

import io.leasehold.jobs.Batch;
import io.leasehold.jobs.Batches;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.limit.AnswerPlaces;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.Refusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Shows how the jobs of a batch fare. Of a large one that takes a while, and a connection to the
 * database meanwhile: a tenant has one at a time for it, and leaves the others to the rest.
 */
@Singleton
public final class ShowBatch implements Resource {

  private static final int OK = 200;

  private final Batches batches;
  private final AnswerPlaces counting = AnswerPlaces.of(1);

  @Inject
  ShowBatch(Batches batches) {
    this.batches = batches;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    exchange.json(
        OK, find(exchange).map(View::of).orElseThrow(() -> Refusal.of(Problem.NOT_FOUND)));
  }

  private Optional<Batch> find(Exchange exchange) throws InterruptedException {
    var id = exchange.batch();
    try (var _ = counting.take(exchange.caller())) {
      return batches.find(exchange.caller(), id);
    }
  }

  private record View(
      String batchId,
      long jobs,
      Map<String, Long> counts,
      int percent,
      boolean over,
      Optional<String> callbackJobId) {

    static View of(Batch its) {
      return new View(
          its.id().toString(),
          its.jobs(),
          counts(its),
          its.percent(),
          its.isOver(),
          its.callback().map(JobId::toString));
    }

    private static Map<String, Long> counts(Batch its) {
      Map<String, Long> counts = new LinkedHashMap<>();
      Arrays.stream(JobStatus.values())
          .forEach(status -> counts.put(status.word(), its.counts().getOrDefault(status, 0L)));
      return counts;
    }
  }
}
