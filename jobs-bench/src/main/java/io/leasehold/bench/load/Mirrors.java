package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.jobs.spi.MirrorTable;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures whether jobs drain as fast as without the mirror feature, and the cost if each job has a
 * mirror: a record whose five columns are written when the job is claimed and when it ends.
 */
final class Mirrors implements Row {

  /** The expected difference is smaller than the variation between rounds. */
  private static final int MORE_ROUNDS = 2;

  private static final int CHUNK = 5_000;

  private static final String WITHOUT = "without mirrors";
  private static final String UNKNOWN = "without mirrors, and no trigger for them";
  private static final String WITH = "a mirror on every job";

  private static final MirrorTable RUNS = MirrorTable.named("bench.run");

  // Updates find space in the same page, as the guide recommends.
  private static final String TABLE =
      """
      DROP SCHEMA IF EXISTS bench CASCADE;
      CREATE SCHEMA bench AUTHORIZATION leasehold_owner;
      SET SESSION AUTHORIZATION leasehold_owner;
      GRANT USAGE ON SCHEMA bench TO leasehold_tenant;
      CREATE TABLE bench.run (
        tenant_id    uuid NOT NULL,
        id           uuid NOT NULL,
        name         text NOT NULL,
        status       text NOT NULL DEFAULT 'new',
        requested_at timestamptz,
        started_at   timestamptz,
        finished_at  timestamptz,
        error        text,
        PRIMARY KEY (tenant_id, id)
      ) WITH (fillfactor = 50);
      GRANT SELECT, INSERT, UPDATE, DELETE ON bench.run TO leasehold_tenant;
      SELECT leasehold.protect('bench.run');
      SELECT leasehold.mirror('bench.run', id => 'id', status => 'status',
        requested_at => 'requested_at', started_at => 'started_at', finished_at => 'finished_at',
        error => 'error');
      RESET SESSION AUTHORIZATION;
      """;

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    server.execute(TABLE);
    var rates = new Rates();
    var rounds = sizes.rounds() * MORE_ROUNDS;
    for (int round = -sizes.warmUps(); round < rounds; round++) {
      rates.add(round, UNKNOWN, unknown(server, sizes));
      rates.add(round, WITHOUT, without(server, sizes));
      rates.add(round, WITH, with(server, sizes));
    }
    report.add("%,d jobs, %d rounds.".formatted(sizes.jobs(), rounds));
    rates.tell(report, "jobs/s");
  }

  private static double unknown(BenchServer server, Sizes sizes) throws TimeoutException {
    server.execute("ALTER TABLE leasehold.outcome DISABLE TRIGGER mirror_outcomes");
    try {
      return without(server, sizes);
    } finally {
      server.execute("ALTER TABLE leasehold.outcome ENABLE TRIGGER mirror_outcomes");
    }
  }

  private static double without(BenchServer server, Sizes sizes) throws TimeoutException {
    try (var queue = EngineQueue.emptied(server)) {
      Drain.submit(queue, sizes.jobs());
      return drain(server, queue, sizes);
    }
  }

  private static double with(BenchServer server, Sizes sizes) throws TimeoutException {
    server.execute("TRUNCATE bench.run");
    try (var queue = EngineQueue.emptied(server)) {
      server.execute(
          ("INSERT INTO bench.run (tenant_id, id, name)"
                  + " SELECT '%s', id::uuid, 'a run' FROM unnest('{%s}'::text[]) AS id")
              .formatted(
                  EngineQueue.caller(0).tenant(),
                  IntStream.range(0, sizes.jobs())
                      .mapToObj(number -> record(number).toString())
                      .collect(Collectors.joining(","))));
      for (int i = 0; i < sizes.jobs(); i += CHUNK) {
        queue.submitMirrored(RUNS, Mirrors::record, i, Math.min(CHUNK, sizes.jobs() - i));
      }
      var rate = drain(server, queue, sizes);
      requireEach(server, sizes);
      return rate;
    }
  }

  // Spread over the index, like the ids of most modules: ordered by the low bits of the number
  // first.
  private static UUID record(int number) {
    return new UUID(Integer.toUnsignedLong(Integer.reverse(number)) << Integer.SIZE, number);
  }

  private static double drain(BenchServer server, EngineQueue queue, Sizes sizes)
      throws TimeoutException {
    server.execute("VACUUM ANALYZE");
    server.execute("CHECKPOINT");
    return Drain.rateOfWaiting(queue, sizes.jobs());
  }

  private static void requireEach(BenchServer server, Sizes sizes) {
    var same =
        server.number(
            "SELECT count(*) FROM bench.run JOIN leasehold.mirror_record AS link"
                + " ON link.tenant_id = run.tenant_id AND record_id = run.id"
                + " JOIN leasehold.outcome ON outcome.tenant_id = link.tenant_id"
                + " AND outcome.id = link.id"
                + " WHERE (run.status, run.started_at, run.finished_at)"
                + " = (outcome.status, outcome.started_at, outcome.finished_at)");
    if (same != sizes.jobs()) {
      throw new IllegalStateException(
          "each of %d records must be as its job, not %d of them".formatted(sizes.jobs(), same));
    }
  }
}
