package io.leasehold.bench.load;

import io.leasehold.bench.BenchPace;
import io.leasehold.bench.Contender;
import io.leasehold.bench.Crew;
import io.leasehold.bench.Latencies;
import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;

/**
 * Measures how many jobs a second 4 threads submit, each in a transaction, and how long one takes.
 */
final class Submit implements Row {

  private static final int THREADS = 4;
  private static final int WARM_UP_PART = 20;
  private static final Duration PACE = Duration.ofMillis(1);

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report)
      throws ExecutionException, InterruptedException {
    var jobs = sizes.jobs() / 2;
    var rates = new Rates();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      for (var one : Contenders.all()) {
        try (var contender = one.emptied(server)) {
          rates.add(round, contender.name(), rate(contender, jobs));
        }
      }
    }
    report.add("%,d jobs, one per transaction, %d threads.".formatted(jobs, THREADS));
    rates.tell(report, "jobs/s");
    tellPaced(server, sizes.paced() / 2, report);
  }

  private static double rate(Contender contender, int jobs)
      throws ExecutionException, InterruptedException {
    Crew.all(THREADS, thread -> () -> submit(contender, jobs + thread, jobs + THREADS)); // connects
    var begin = System.nanoTime();
    Crew.all(THREADS, thread -> () -> submit(contender, thread, jobs));
    return jobs * 1e9 / (System.nanoTime() - begin);
  }

  private static int submit(Contender contender, int first, int jobs) {
    for (int number = first; number < jobs; number += THREADS) {
      contender.submit(number);
    }
    return jobs;
  }

  private static void tellPaced(BenchServer server, int jobs, Report report)
      throws ExecutionException, InterruptedException {
    report.add("", "%,d jobs at 1,000/s, ms from when each was due:".formatted(jobs));
    report.table("", "p50", "p99", "most");
    for (var one : Contenders.all()) {
      try (var contender = one.emptied(server)) {
        paced(contender, jobs, jobs / WARM_UP_PART);
        report.row(contender.name(), paced(contender, 0, jobs).cells());
      }
    }
  }

  private static Latencies paced(Contender contender, int first, int count)
      throws ExecutionException, InterruptedException {
    var pace = BenchPace.every(PACE);
    List<long[]> took =
        Crew.all(
            THREADS,
            thread ->
                () -> pace.run(thread, THREADS, count, index -> contender.submit(first + index)));
    return Latencies.of(took.stream().flatMapToLong(LongStream::of).toArray());
  }
}
