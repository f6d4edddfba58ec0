package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Measures whether waiting jobs drain as fast beside a million finished or future jobs as without
 * them.
 */
final class FullTables implements Row {

  private static final int ROUNDS_MOST = 2;

  private static final String FINISHED =
      """
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts,
        token, result)
      SELECT tenant_id, id, 'succeeded', now(), now(), 1, 0, 'true' FROM leasehold.job;
      """;

  private static final String DUE_LATER =
      """
      INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant_id, id, queue, priority, 0, now() + interval '1 day' FROM leasehold.job;
      """;

  private static final String EMPTY = "alone";

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var rates = new Rates();
    var fillings = new LinkedHashMap<String, String>();
    fillings.put(EMPTY, "");
    fillings.put("beside finished ones", FINISHED);
    fillings.put("beside ones due later", DUE_LATER);
    var rounds = Math.min(ROUNDS_MOST, sizes.rounds()); // Creating them takes long.
    for (int round = -sizes.warmUps(); round < rounds; round++) {
      for (var filling : fillings.entrySet()) {
        rates.add(round, filling.getKey(), rate(server, sizes, filling));
      }
    }
    report.add(
        "%,d waiting jobs beside %,d others, %d rounds."
            .formatted(sizes.jobs(), sizes.backlog(), rounds));
    rates.tell(report, "jobs/s");
  }

  private static double rate(BenchServer server, Sizes sizes, Map.Entry<String, String> filling)
      throws TimeoutException {
    try (var queue = EngineQueue.emptied(server)) {
      if (!filling.getKey().equals(EMPTY)) {
        server.execute(jobs(sizes.backlog()) + filling.getValue());
      }
      server.execute("VACUUM ANALYZE");
      server.execute("CHECKPOINT");
      return Drain.rate(queue, sizes.jobs());
    }
  }

  /** Inserts {@code count} jobs of a tenant that are not in the queue. */
  static String jobs(int count) {
    return """
    INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority, max_attempts,
      principal)
    SELECT '00000000-0000-0001-0000-000000000000', uuidv7(),
      'gts.x.core.jobs.handler.v1~leasehold.bench.load.counted.v1', '{"number":0,"note":"old"}',
      'default', 0, 1, 'seed'
    FROM generate_series(1, %d);
    """
        .formatted(count);
  }
}
