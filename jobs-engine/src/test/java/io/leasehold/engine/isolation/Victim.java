package io.leasehold.engine.isolation;

import io.leasehold.engine.service.query.StoredJob;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A tenant with a job at every place in a job's life, and everything that belongs to jobs.
 *
 * @param administrator sees all rows
 * @param tenant whose the jobs are
 * @param jobs their ids
 */
record Victim(Connection administrator, TenantId tenant, List<JobId> jobs) {

  /** A queue that no handler of the tests works on. */
  static final String QUEUE = "elsewhere";

  static final String KEY = "the victim's key";
  static final String CANARY = "the victim's word";

  static Victim of(Connection administrator, TenantId tenant) throws SQLException {
    var jobs = new ArrayList<JobId>();
    for (var status : JobStatus.values()) {
      jobs.add(stored(tenant).status(status).in(administrator));
    }
    jobs.add(stored(tenant).scheduled().in(administrator));
    var victim = new Victim(administrator, tenant, List.copyOf(jobs));
    victim.addSchedule();
    for (var job : jobs) {
      victim.addWhatBelongsTo(job);
    }
    return victim;
  }

  private static StoredJob stored(TenantId tenant) {
    return StoredJob.of(tenant, Instant.now()).queue(QUEUE).correlationId(CANARY);
  }

  // Due in a while, and called as its queue is.
  private void addSchedule() throws SQLException {
    execute(
        """
        INSERT INTO leasehold.schedule (tenant_id, name, cron, zone, jitter_ms, missed, handler_id, queue,
          priority, max_attempts, input, principal, next_at)
        VALUES ('%1$s', '%2$s', '@daily', 'Z', 0, 'all',
          'gts.x.core.jobs.handler.v1~a.b.c.d.v1', '%2$s', 0, 1,
          to_json('%3$s'::text), '%3$s', now() + interval '1 h')
        ON CONFLICT DO NOTHING
        """
            .formatted(tenant, QUEUE, CANARY.replace("'", "''")));
  }

  private void addWhatBelongsTo(JobId job) throws SQLException {
    execute(
        """
        INSERT INTO leasehold.attempt (tenant_id, id, token, attempt, status, ended_at, error)
        VALUES ('%1$s', '%2$s', 0, 1, 'failed', now(), '%3$s');
        INSERT INTO leasehold.progress (tenant_id, id, token, percent, note, updated_at)
        VALUES ('%1$s', '%2$s', 1, 50, '%3$s', now());
        INSERT INTO leasehold.event (tenant_id, id, token, number, told_at, kind, body)
        VALUES ('%1$s', '%2$s', 1, 1, now(), 'log', to_json('%3$s'::text));
        INSERT INTO leasehold.event (tenant_id, id, token, number, told_at, kind, body)
        VALUES ('%1$s', '%2$s', 1, 2, now(), 'task_status',
          json_build_object('task_id', 'load', 'status', 'failed', 'error', '%3$s'));
        INSERT INTO leasehold.step (tenant_id, id, name, token, value, characters, done_at)
        VALUES ('%1$s', '%2$s', '%3$s', 1, to_json('%3$s'::text), 1, now());
        INSERT INTO leasehold.checkpoint (tenant_id, id, token, value, kept_at)
        VALUES ('%1$s', '%2$s', 1, to_json('%3$s'::text), now());
        INSERT INTO leasehold.output
        VALUES ('%1$s', '%2$s', '%3$s', 1, 'output-1-0', 1, '', '%3$s', now());
        INSERT INTO leasehold.dependency (tenant_id, id, on_id, until_end, state)
        VALUES ('%1$s', '%2$s', gen_random_uuid(), false, 'met');
        INSERT INTO leasehold.batch_job (tenant_id, id, batch_id, is_callback)
        VALUES ('%1$s', '%2$s', gen_random_uuid(), false);
        INSERT INTO leasehold.job_key (tenant_id, handler_id, key, id)
        SELECT tenant_id, handler_id, '%4$s' || id, id FROM leasehold.job WHERE id = '%2$s';
        UPDATE leasehold.outcome SET result = to_json('%3$s'::text) WHERE id = '%2$s';
        """
            .formatted(tenant, job, CANARY.replace("'", "''"), KEY.replace("'", "''")));
  }

  /** All rows of the tenant in all tables, as text: what must not change. */
  String rows() throws SQLException {
    var rows = new TreeMap<String, String>();
    for (var table :
        strings(
            """
            SELECT pg_class.oid::regclass::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            WHERE relnamespace = 'leasehold'::regnamespace AND relkind IN ('r', 'p')
              AND NOT relispartition AND attname = 'tenant_id'
            """)) {
      rows.put(
          table,
          strings(
                  "SELECT stored::text FROM %s AS stored WHERE tenant_id = '%s' ORDER BY 1"
                      .formatted(table, tenant))
              .toString());
    }
    return rows.toString();
  }

  /** What only the worker of the running job knows: its id, and the token of its lease. */
  List<String> fences() throws SQLException {
    return strings(
        "SELECT format('%%L, %%s', worker_id, token) FROM leasehold.lease WHERE tenant_id = '%s'"
            .formatted(tenant));
  }

  List<String> strings(String sql) throws SQLException {
    var strings = new ArrayList<String>();
    try (var statement = administrator.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        strings.add(rows.getString(1));
      }
    }
    return strings;
  }

  void execute(String sql) throws SQLException {
    try (var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }
}
