package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Middle;
import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.limit.Meter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;

/** Measures how much processor time of the server, and how many bytes of WAL, a no-op job costs. */
final class JobCost implements Row {

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      for (var one : Contenders.all()) {
        try (var contender = one.emptied(server)) {
          var cost = cost(server, contender, sizes.jobs());
          if (round >= 0) {
            costs.computeIfAbsent(contender.name(), name -> new ArrayList<>()).add(cost);
          }
        }
      }
    }
    report.add(
        "%,d jobs, submitted in bulk and worked off, %d rounds."
            .formatted(sizes.jobs(), sizes.rounds()));
    report.table(
        "",
        "submit µs",
        "submit WAL",
        "work µs",
        "work WAL",
        "total µs",
        "total WAL bytes",
        "processors to the first",
        "WAL to the first");
    var first = costs.values().iterator().next();
    costs.forEach((name, rounds) -> tell(report, name, rounds, first, sizes));
  }

  private static void tell(
      Report report, String name, List<Cost> costs, List<Cost> first, Sizes sizes) {
    report.row(
        name,
        middle(costs, cost -> cost.submit().cpuMicros(), sizes),
        middle(costs, cost -> cost.submit().walBytes(), sizes),
        middle(costs, cost -> cost.work().cpuMicros(), sizes),
        middle(costs, cost -> cost.work().walBytes(), sizes),
        middle(costs, cost -> cost.total().cpuMicros(), sizes),
        middle(costs, cost -> cost.total().walBytes(), sizes),
        ratio(costs, first, cost -> cost.total().cpuMicros()),
        ratio(costs, first, cost -> cost.total().walBytes()));
  }

  private record Cost(Meter.Used submit, Meter.Used work) {

    Meter.Used total() {
      return submit.plus(work);
    }
  }

  private static Cost cost(BenchServer server, Contender contender, int jobs)
      throws TimeoutException {
    server.execute("CHECKPOINT"); // Excludes the pages left dirty by the previous one.
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
    return Report.number(Middle.of(each(costs, which)) / sizes.jobs(), 1);
  }

  private static String ratio(List<Cost> costs, List<Cost> first, ToDoubleFunction<Cost> which) {
    return Report.number(Middle.ofRatios(each(costs, which), each(first, which)), 2);
  }

  private static List<Double> each(List<Cost> costs, ToDoubleFunction<Cost> which) {
    return costs.stream().mapToDouble(which).boxed().toList();
  }
}
