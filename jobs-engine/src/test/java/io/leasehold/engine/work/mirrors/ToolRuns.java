package io.leasehold.engine.work.mirrors;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.jobs.spi.MirrorTable;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The records of a module, and how they differ from their jobs. */
public final class ToolRuns {

  public static final MirrorTable RUNS = MirrorTable.named("acme.tool_run");
  public static final MirrorTable STRICT = MirrorTable.named("acme.strict_run");
  public static final String SCRIPT = "/io/leasehold/engine/tool_run.sql";

  /**
   * Each record that is not as its job, at one moment. A record that is noted to be behind is left
   * out.
   */
  public static final String DIFFERENCES =
      """
      SELECT format('record %s is %s, and job %s %s', link.record_id,
        (run.status, run.requested_at, run.started_at, run.finished_at, run.error), link.id,
        (job.status, job.created_at, job.started_at, job.finished_at, job.last_error))
      FROM leasehold.mirror_record AS link
      JOIN acme.tool_run AS run ON run.tenant_id = link.tenant_id AND run.id = link.record_id
      LEFT JOIN leasehold.job_status_v AS job
        ON job.tenant_id = link.tenant_id AND job.job_id = link.id
      WHERE (run.status, run.requested_at, run.started_at, run.finished_at, run.error)
        IS DISTINCT FROM (job.status, job.created_at, job.started_at, job.finished_at,
          CASE WHEN job.finished_at IS NOT NULL THEN job.last_error END)
        AND NOT EXISTS (
          SELECT FROM leasehold.mirror_behind AS behind WHERE behind.record_id = link.record_id)
      """;

  private static final String RECORD =
      "SELECT concat_ws(' ', status, started_at IS NOT NULL, finished_at IS NOT NULL, error)"
          + " FROM acme.tool_run WHERE id = ?";

  private final Administrator administrator;

  ToolRuns(Administrator administrator) {
    this.administrator = administrator;
  }

  /** Inserts a record of the queue's tenant. */
  UUID insert() throws SQLException {
    return insert(TestQueue.TENANT);
  }

  /** Inserts a record of a tenant. */
  UUID insert(UUID tenant) throws SQLException {
    var id = UUID.randomUUID();
    administrator.run(
        "INSERT INTO acme.tool_run (tenant_id, id, tool) VALUES (?, ?, 'lint')", tenant, id);
    return id;
  }

  /** The status of a record, whether it has begun and ended, and its error. */
  String read(UUID record) throws SQLException {
    return (String) administrator.ask(RECORD, record).getFirst();
  }

  /** All of a record that mirrors have. */
  String whole(UUID record) throws SQLException {
    return (String)
        administrator
            .ask(
                "SELECT (status, requested_at, started_at, finished_at, error)::text"
                    + " FROM acme.tool_run WHERE id = ?",
                record)
            .getFirst();
  }

  /** Which records are not as their jobs. */
  List<Object> differences() throws SQLException {
    return administrator.ask(DIFFERENCES);
  }
}
