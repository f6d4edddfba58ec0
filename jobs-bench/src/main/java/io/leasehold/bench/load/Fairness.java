package io.leasehold.bench.load;

import io.leasehold.bench.Latencies;
import io.leasehold.bench.Report;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Measures how much longer the jobs of a hundred tenants wait when another tenant has submitted a
 * large number before them. All jobs are waiting when the worker starts.
 */
final class Fairness implements Row {

  private static final int BIG = 0; // Before all others, where the turns begin.
  private static final int TENANTS = 100;
  private static final int EACH_PART = 500;
  private static final int BIG_TIMES = 4;
  private static final int CHUNK = 10_000;
  private static final Duration MOST = Duration.ofMinutes(5);

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var each = Math.max(1, sizes.jobs() / EACH_PART);
    var big = sizes.jobs() * BIG_TIMES;
    var waits = new Rates();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      waits.add(round, "alone", wait(server, each, 0));
      waits.add(round, "beside the big one", wait(server, each, big));
    }
    report.add(
        "%,d tenants with %,d waiting jobs each, alone and beside one with %,d, %d rounds;"
                .formatted(TENANTS, each, big, sizes.rounds())
            + " 99 of 100 of their jobs start so soon after the first job of the run.");
    waits.tell(report, "ms");
  }

  private static double wait(BenchServer server, int each, int big) throws TimeoutException {
    try (var queue = EngineQueue.emptied(server)) {
      var small = TENANTS * each;
      for (int i = 0; i < big; i += CHUNK) {
        queue.submitAll(BIG, small + i, Math.min(CHUNK, big - i));
      }
      for (int tenant = 0; tenant < TENANTS; tenant++) {
        queue.submitAll(BIG + 1 + tenant, tenant * each, each);
      }
      var tally = new Tally(small + big);
      queue.start(tally);
      tally.awaitAllDone(queue, MOST);
      queue.stop();
      tally.requireEachOnce(queue);
      return ofFirst(small, small + big, tally).millis(99);
    }
  }

  private static Latencies ofFirst(int small, int all, Tally tally) {
    var begin = IntStream.range(0, all).mapToLong(tally::ranAt).min().orElseThrow();
    return Latencies.of(
        IntStream.range(0, small).mapToLong(job -> tally.ranAt(job) - begin).toArray());
  }
}
