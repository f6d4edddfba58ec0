package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Middle;
import io.leasehold.bench.Report;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.limit.OpenSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Measures whether the last tenth of a large number of jobs is finished as fast as the first, while
 * another session holds a snapshot, so that no dead row can be removed.
 *
 * <p>The last tenth is compared with the second, because the worker also starts during the first.
 */
final class HeldSnapshot implements Row {

  private static final int TENTHS = 10;
  private static final int TIMES_JOBS = 6;
  private static final Duration MOST = Duration.ofMinutes(5);

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var jobs = TIMES_JOBS * sizes.jobs();
    report.add("%,d jobs; jobs/s in a tenth of them.".formatted(jobs));
    report.table("", "first tenth", "second", "middle of all", "last", "last to second");
    for (var one : Contenders.ours()) {
      try (var contender = one.emptied(server)) {
        Drain.submit(contender, jobs);
        try (var snapshot = OpenSnapshot.held(server)) {
          tell(contender.name(), tenths(contender, jobs), report);
          snapshot.requireHeld();
        }
      }
    }
  }

  private static List<Double> tenths(Contender contender, int jobs) throws TimeoutException {
    var tally = new Tally(jobs);
    var rates = new ArrayList<Double>();
    contender.start(tally);
    for (int tenth = 1; tenth <= TENTHS; tenth++) {
      var begin = System.nanoTime();
      var before = tally.count();
      tally.await(jobs / TENTHS * tenth, MOST);
      rates.add((tally.count() - before) * 1e9 / (System.nanoTime() - begin));
    }
    tally.awaitAllDone(contender, MOST);
    contender.stop();
    tally.requireEachOnce(contender);
    return rates;
  }

  private static void tell(String name, List<Double> rates, Report report) {
    report.row(
        name,
        Report.number(rates.getFirst(), 0),
        Report.number(rates.get(1), 0),
        Report.number(Middle.of(rates), 0),
        Report.number(rates.getLast(), 0),
        Report.number(rates.getLast() / rates.get(1), 2));
  }
}
