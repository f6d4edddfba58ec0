package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.util.concurrent.TimeoutException;

/** Do jobs drain as fast beside 100,000 that wait for unfinished ones as alone? */
final class WaitingJobs implements Row {

  private static final int SHARE = 10;
  private static final String EMPTY = "alone";
  private static final String WAITING = "beside waiting ones";

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var waiting = sizes.backlog() / SHARE;
    var rates = new Rates();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      rates.add(round, EMPTY, rate(server, sizes, 0));
      rates.add(round, WAITING, rate(server, sizes, waiting));
    }
    report.add(
        "%,d jobs beside %,d that wait for unfinished ones, %d rounds."
            .formatted(sizes.jobs(), waiting, sizes.rounds()));
    rates.tell(report, "jobs/s");
  }

  private static double rate(BenchServer server, Sizes sizes, int waiting) throws TimeoutException {
    try (var queue = EngineQueue.emptied(server)) {
      if (waiting > 0) {
        var others = Math.max(1, waiting / SHARE);
        server.execute(FullTables.jobs(waiting + others) + waitFor(others));
      }
      server.execute("VACUUM ANALYZE");
      server.execute("CHECKPOINT");
      return Drain.rate(queue, sizes.jobs());
    }
  }

  // The first so many are due tomorrow, and each of the others waits for one of these.
  private static String waitFor(int others) {
    return """
    WITH numbered AS (SELECT *, row_number() OVER (ORDER BY id) AS n FROM leasehold.job),
    unfinished AS (
      INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant_id, id, queue, priority, 0, now() + interval '1 day'
      FROM numbered WHERE n <= %1$d),
    waiting AS (
      INSERT INTO leasehold.waiting (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant_id, id, queue, priority, 0, now() FROM numbered WHERE n > %1$d)
    INSERT INTO leasehold.dependency (tenant_id, id, on_id, until_end, state)
    SELECT numbered.tenant_id, numbered.id, other.id, false, 'unmet'
    FROM numbered JOIN numbered AS other ON other.n = 1 + numbered.n %% %1$d
    WHERE numbered.n > %1$d
    """
        .formatted(others);
  }
}
