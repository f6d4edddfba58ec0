package io.leasehold.bench.load;

import io.leasehold.bench.BenchPace;
import io.leasehold.bench.Contender;
import io.leasehold.bench.Crew;
import io.leasehold.bench.Latencies;
import io.leasehold.bench.Report;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Measures how long a job waits from when it is due until it runs, at a thousand jobs a second. */
final class Steady implements Row {

  private static final int THREADS = 4;
  private static final Duration PACE = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofMinutes(1);
  private static final int WARM_UP_PART = 20;

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report)
      throws TimeoutException, ExecutionException, InterruptedException {
    var jobs = sizes.paced();
    report.add(
        "%,d jobs, 1,000 a second, from %d threads; ms from when each was due until it ran."
            .formatted(jobs, THREADS));
    report.table("", "p50", "p99", "most");
    for (var one : Contenders.all()) {
      try (var contender = one.emptied(server)) {
        report.row(contender.name(), latencies(contender, jobs).cells());
      }
    }
  }

  private static Latencies latencies(Contender contender, int jobs)
      throws TimeoutException, ExecutionException, InterruptedException {
    var tally = new Tally(jobs);
    contender.start(tally);
    var pace = BenchPace.every(PACE);
    Crew.all(THREADS, thread -> () -> pace.run(thread, THREADS, jobs, contender::submit));
    tally.awaitAllDone(contender, MOST);
    contender.stop();
    tally.requireEachOnce(contender);
    var dueAt = IntStream.range(0, jobs).mapToLong(pace::dueAt).toArray();
    return Latencies.ofRuns(dueAt, tally, jobs / WARM_UP_PART);
  }
}
