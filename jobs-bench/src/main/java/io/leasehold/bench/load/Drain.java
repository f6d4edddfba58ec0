package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Middle;
import io.leasehold.bench.Report;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.limit.RawQueue;
import io.leasehold.bench.limit.SchedulerQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** How many waiting no-op jobs a second does one process work off? */
final class Drain implements Row {

  private static final Duration MOST = Duration.ofMinutes(5);
  private static final int CHUNK = 10_000;

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var rates = new TreeMap<String, List<Double>>();
    var contenders =
        List.<Supplier<Contender>>of(
            () -> RawQueue.emptied(server, 2),
            () -> RawQueue.emptied(server, 4),
            () -> EngineQueue.emptied(server),
            () -> SchedulerQueue.emptied(server));
    for (int round = -1; round < sizes.rounds(); round++) {
      for (var each : contenders) {
        try (var contender = each.get()) {
          var rate = rate(contender, sizes.jobs());
          if (round >= 0) {
            rates.computeIfAbsent(contender.name(), _ -> new ArrayList<>()).add(rate);
          }
        }
      }
    }
    tell(rates, sizes, report);
  }

  /** Submits the jobs, and then works them off: jobs a second. */
  static double rate(Contender contender, int jobs) throws TimeoutException {
    for (int i = 0; i < jobs; i += CHUNK) {
      contender.submitAll(i, Math.min(CHUNK, jobs - i));
    }
    return rateOfWaiting(contender, jobs);
  }

  /** Works off what was submitted. */
  static double rateOfWaiting(Contender contender, int jobs) throws TimeoutException {
    var tally = new Tally(jobs);
    var begin = System.nanoTime();
    contender.start(tally);
    tally.awaitAllDone(contender, MOST);
    var seconds = (System.nanoTime() - begin) / 1e9;
    contender.stop();
    tally.requireEachOnce(contender);
    return jobs / seconds;
  }

  private static void tell(Map<String, List<Double>> rates, Sizes sizes, Report report) {
    report.add("", "## drain", "", "%,d jobs, %d rounds".formatted(sizes.jobs(), sizes.rounds()));
    report.table("", "jobs/s, median", "to limit");
    rates.forEach(
        (name, its) ->
            report.row(
                name,
                Report.number(Middle.of(its), 0),
                Report.number(Middle.ofRatios(its, rates.getOrDefault("limit", its)), 2)));
  }
}
