package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.util.concurrent.TimeoutException;

/**
 * Measures whether jobs drain as fast beside 100,000 jobs that wait for unfinished ones as without
 * them, and as fast as without the check for waiting jobs. Also measures a batch whose callback
 * waits for each of its jobs.
 */
final class WaitingJobs implements Row {

  private static final int SHARE = 10;

  /** The expected difference is smaller than the variation between rounds. */
  private static final int MORE_ROUNDS = 2;

  private static final String UNFOLLOWED = "alone, without a look at dependents";
  private static final String EMPTY = "alone";
  private static final String WAITING = "beside waiting ones";
  private static final String BATCH = "as a batch with a callback";

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var waiting = sizes.backlog() / SHARE;
    var rates = new Rates();
    var rounds = sizes.rounds() * MORE_ROUNDS;
    for (int round = -sizes.warmUps(); round < rounds; round++) {
      rates.add(round, EMPTY, rate(server, sizes, 0));
      rates.add(round, UNFOLLOWED, unfollowed(server, sizes));
      rates.add(round, WAITING, rate(server, sizes, waiting));
      rates.add(round, BATCH, batch(server, sizes));
    }
    report.add(
        "%,d jobs beside %,d that wait for unfinished ones, %d rounds."
            .formatted(sizes.jobs(), waiting, rounds));
    rates.tell(report, "jobs/s");
  }

  private static double unfollowed(BenchServer server, Sizes sizes) throws TimeoutException {
    server.execute("ALTER TABLE leasehold.outcome DISABLE TRIGGER follow_outcomes");
    try {
      return rate(server, sizes, 0);
    } finally {
      server.execute("ALTER TABLE leasehold.outcome ENABLE TRIGGER follow_outcomes");
    }
  }

  private static double batch(BenchServer server, Sizes sizes) throws TimeoutException {
    try (var queue = EngineQueue.emptied(server)) {
      queue.submitBatch(sizes.jobs());
      server.execute("VACUUM ANALYZE");
      server.execute("CHECKPOINT");
      return Drain.rateOfWaiting(queue, sizes.jobs());
    }
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

  // As many jobs as the parameter says are due tomorrow, and each of the rest waits for one of
  // these.
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
