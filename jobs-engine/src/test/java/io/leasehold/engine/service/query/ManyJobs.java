package io.leasehold.engine.service.query;

import io.leasehold.jobs.JobId;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Many jobs of the last days, all but a few of them over: half of them one tenant's, the others
 * shared by 47.
 */
final class ManyJobs {

  private ManyJobs() {}

  /** Stores them. */
  static void fill(Connection administrator, int jobs) throws SQLException {
    try (var statement = administrator.createStatement()) {
      for (var part : SQL.replace(":jobs", Integer.toString(jobs)).split(";", -1)) {
        statement.execute(part);
      }
    }
  }

  /** Writes {@code events} events of one job, and a few of each of the others. */
  static void tellOf(Connection administrator, JobId job, int events) throws SQLException {
    try (var statement = administrator.createStatement()) {
      statement.execute(
          """
          INSERT INTO leasehold.event (tenant_id, id, token, number, told_at, kind, body)
          SELECT tenant_id, id, 7, n, now(), 'log', '{}'
          FROM leasehold.job, generate_series(1, CASE WHEN id = '%s' THEN %d ELSE 1 END) AS n;
          ANALYZE leasehold.event
          """
              .formatted(job, events));
    }
  }

  /** Has one that waits fail once, and be put off so often since. */
  static void putOff(Connection administrator, JobId job, int times) throws SQLException {
    try (var statement = administrator.createStatement()) {
      statement.execute(
          """
          INSERT INTO leasehold.attempt (tenant_id, id, token, attempt, status, started_at, ended_at,
            error)
          SELECT tenant_id, id, n, 1, CASE WHEN n = 1 THEN 'failed' ELSE 'put_off' END, now(), now(),
            CASE WHEN n = 1 THEN 'no' END
          FROM leasehold.job, generate_series(1, %d) AS n WHERE id = '%s';
          ANALYZE leasehold.attempt
          """
              .formatted(times + 1, job));
    }
  }

  private static final String SQL =
      """
      SET synchronous_commit = off;
      SELECT leasehold.prepare_days(-13, -1);
      CREATE TEMP TABLE made AS
      SELECT n, ('00000000-0000-0001-0000-'
          || lpad(to_hex(CASE WHEN n % 10 < 5 THEN 1 ELSE 2 + n % 47 END), 12, '0'))::uuid AS tenant_id,
        overlay(leasehold.first_id_at(at)::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid AS id,
        at, CASE WHEN n % 97 = 0 THEN 'failed' WHEN n % 499 = 0 THEN 'cancelled'
          WHEN n % 997 = 0 THEN 'timed_out' ELSE 'succeeded' END AS status,
        CASE WHEN n % 700 = 1 THEN 'queued' WHEN n % 700 = 2 THEN 'due' WHEN n % 700 = 3 THEN 'running'
          ELSE 'over' END AS place
      FROM (SELECT n, now() - interval '13 days' + n * interval '12 days' / :jobs AS at
        FROM generate_series(1, :jobs) AS n) AS numbered;
      INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority, max_attempts,
        principal, correlation_id)
      SELECT tenant_id, id, 'gts.x.core.jobs.handler.v1~acme.reading.tests.h' || n % 7 || '.v1',
        '{"customer": 7}', 'q' || n % 5, 0, 3, 'ann', CASE WHEN n % 2 = 0 THEN 'request ' || n / 20 END
      FROM made;
      INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at, attempts, token,
        result)
      SELECT tenant_id, id, status, at + interval '2 s', at + interval '1 s', 1, n, '{"file": 7}'
      FROM made WHERE place = 'over';
      INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant_id, id, 'q' || n % 5, 0, 0, at FROM made WHERE place = 'queued';
      INSERT INTO leasehold.scheduled (tenant_id, id, queue, priority, attempts, available_at)
      SELECT tenant_id, id, 'q' || n % 5, 0, 0, at FROM made WHERE place = 'due';
      INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until, when_lost,
        attempt_started_at, started_at)
      SELECT tenant_id, id, gen_random_uuid(), n, 1, at, 'requeue', at, at FROM made
      WHERE place = 'running';
      DROP TABLE made;
      ANALYZE leasehold.job, leasehold.outcome, leasehold.ready, leasehold.scheduled, leasehold.lease
      """;
}
