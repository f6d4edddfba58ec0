package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.util.concurrent.TimeoutException;

/** Measures whether the waiting jobs of a thousand tenants drain as fast as those of one. */
final class ManyTenants implements Row {

  private static final int TENANTS = 1_000;

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var rates = new Rates();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      rates.add(round, "1 tenant", rate(server, 1, sizes.jobs()));
      rates.add(round, "1,000 tenants", rate(server, TENANTS, sizes.jobs()));
    }
    report.add("%,d waiting jobs, %d rounds.".formatted(sizes.jobs(), sizes.rounds()));
    rates.tell(report, "jobs/s");
  }

  private static double rate(BenchServer server, int tenants, int jobs) throws TimeoutException {
    try (var queue = EngineQueue.emptied(server)) {
      var each = Math.ceilDiv(jobs, tenants);
      for (int tenant = 0; tenant * each < jobs; tenant++) {
        queue.submitAll(tenant, tenant * each, Math.min(each, jobs - tenant * each));
      }
      return Drain.rateOfWaiting(queue, jobs);
    }
  }
}
