package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;

/** Measures how many jobs a second one thread submits, in transactions of ten thousand. */
final class BulkSubmit implements Row {

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) {
    var rates = new Rates();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      for (var one : Contenders.all()) {
        try (var contender = one.emptied(server)) {
          contender.submitAll(sizes.jobs(), 1); // opens the connection
          rates.add(round, contender.name(), rate(contender, sizes.jobs()));
        }
      }
    }
    report.add("%,d jobs, 10,000 per transaction, one thread.".formatted(sizes.jobs()));
    rates.tell(report, "jobs/s");
  }

  private static double rate(Contender contender, int jobs) {
    var begin = System.nanoTime();
    Drain.submit(contender, jobs);
    return jobs * 1e9 / (System.nanoTime() - begin);
  }
}
