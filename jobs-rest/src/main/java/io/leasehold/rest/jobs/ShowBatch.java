package io.leasehold.rest.jobs;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.batches.Batch;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.limit.LongReads;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Shows the status of a batch, with counts of all of its jobs. */
public final class ShowBatch implements Resource {

  private static final int OK = 200;

  private final Batches batches;
  private final LongReads reads;

  @Inject
  ShowBatch(Batches batches, LongReads reads) {
    this.batches = batches;
    this.reads = reads;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    var id = exchange.batch();
    var caller = exchange.caller();
    var found = reads.read(caller, () -> batches.find(caller, id));
    exchange.json(OK, found.map(View::of).orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND)));
  }

  private record View(
      String batchId,
      long jobs,
      Map<String, Long> counts,
      int percent,
      boolean over,
      Optional<String> callbackJobId) {

    static View of(Batch batch) {
      return new View(
          batch.id().toString(),
          batch.jobs(),
          counts(batch),
          batch.percent(),
          batch.isOver(),
          batch.callback().map(JobId::toString));
    }

    private static Map<String, Long> counts(Batch batch) {
      Map<String, Long> counts = new LinkedHashMap<>();
      Arrays.stream(JobStatus.values())
          .forEach(status -> counts.put(status.word(), batch.counts().getOrDefault(status, 0L)));
      return counts;
    }
  }
}
