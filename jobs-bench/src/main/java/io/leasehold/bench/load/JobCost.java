package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Middle;
import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.limit.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;

/** How much of the server's processors, and how many bytes of WAL, does a no-op job cost? */
final class JobCost implements Row {

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    report.add("%,d jobs, submitted in bulk and worked off.".formatted(sizes.jobs()));
    report.table(
        "", "submit µs", "submit WAL", "work µs", "work WAL", "total µs", "total WAL bytes");
    for (var one : Contenders.all()) {
      List<Cost> costs = new ArrayList<>();
      var name = one.name();
      for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
        try (var contender = one.emptied(server)) {
          var cost = cost(server, contender, sizes.jobs());
          name = contender.name();
          if (round >= 0) {
            costs.add(cost);
          }
        }
      }
      report.row(
          name,
          middle(costs, cost -> cost.submit().cpuMicros(), sizes),
          middle(costs, cost -> cost.submit().walBytes(), sizes),
          middle(costs, cost -> cost.work().cpuMicros(), sizes),
          middle(costs, cost -> cost.work().walBytes(), sizes),
          middle(costs, cost -> cost.submit().plus(cost.work()).cpuMicros(), sizes),
          middle(costs, cost -> cost.submit().plus(cost.work()).walBytes(), sizes));
    }
  }

  private record Cost(Meter.Used submit, Meter.Used work) {}

  private static Cost cost(BenchServer server, Contender contender, int jobs)
      throws TimeoutException {
    server.execute("CHECKPOINT"); // What the last one left to write is not counted here.
    var meter = new Meter(server);
    var before = meter.read();
    Drain.submit(contender, jobs);
    var submitted = meter.read();
    var tally = Drain.work(contender, jobs);
    var worked = meter.read();
    contender.stop();
    tally.requireEachOnce(contender);
    return new Cost(submitted.since(before), worked.since(submitted));
  }

  private static String middle(List<Cost> costs, ToDoubleFunction<Cost> which, Sizes sizes) {
    var middle = Middle.of(costs.stream().mapToDouble(which).boxed().toList());
    return Report.number(middle / sizes.jobs(), 1);
  }
}
