package io.leasehold.engine.service.query;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A job as it lies in the tables, put there by an administrator: of any time, and anywhere in its
 * life. Immutable; each method returns a changed copy.
 *
 * @param tenant whose it is
 * @param id made of the time of its submission
 * @param handler the last part of its handler's name
 * @param queue where it waits or waited
 * @param correlationId of its submission
 * @param status where it is
 * @param later whether it is queued for a later time
 */
public record StoredJob(
    TenantId tenant,
    JobId id,
    String handler,
    String queue,
    Optional<String> correlationId,
    JobStatus status,
    boolean later) {

  /** One that succeeded, in the default queue. */
  public static StoredJob of(TenantId tenant, Instant submitted) {
    var high = submitted.toEpochMilli() << 16 | 0x7000 | ThreadLocalRandom.current().nextInt(4096);
    var low = Long.MIN_VALUE | ThreadLocalRandom.current().nextLong() >>> 2;
    return new StoredJob(
        tenant,
        new JobId(new UUID(high, low)),
        "report",
        "default",
        Optional.empty(),
        JobStatus.SUCCEEDED,
        false);
  }

  /** Of another handler. */
  public StoredJob handler(String name) {
    return new StoredJob(tenant, id, name, queue, correlationId, status, later);
  }

  /** In another queue. */
  public StoredJob queue(String name) {
    return new StoredJob(tenant, id, handler, name, correlationId, status, later);
  }

  /** Submitted for a request. */
  public StoredJob correlationId(String request) {
    return new StoredJob(tenant, id, handler, queue, Optional.of(request), status, later);
  }

  /** Elsewhere in its life. */
  public StoredJob status(JobStatus status) {
    return new StoredJob(tenant, id, handler, queue, correlationId, status, later);
  }

  /** Queued for a later time. */
  public StoredJob scheduled() {
    return new StoredJob(tenant, id, handler, queue, correlationId, JobStatus.QUEUED, true);
  }

  /** The handler's whole name. */
  public String handlerId() {
    return "gts.x.core.jobs.handler.v1~acme.reading.tests.%s.v1".formatted(handler);
  }

  /** Stores it, and answers its id. */
  public JobId in(Connection administrator) throws SQLException {
    execute(
        administrator,
        "INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,"
            + " max_attempts, principal, correlation_id) VALUES (?, ?, ?, '\"secret input\"', ?, 0,"
            + " 3, 'ann', ?)",
        tenant.value(),
        id.value(),
        handlerId(),
        queue,
        correlationId.orElse(null));
    place(administrator);
    return id;
  }

  private void place(Connection administrator) throws SQLException {
    switch (status) {
      case QUEUED ->
          execute(
              administrator,
              "INSERT INTO leasehold.%s (tenant_id, id, queue, priority, attempts, available_at)"
                      .formatted(later ? "scheduled" : "ready")
                  + " VALUES (?, ?, ?, 0, 0, now() + ?::interval)",
              tenant.value(),
              id.value(),
              queue,
              later ? "1 h" : "0 h");
      case RUNNING ->
          execute(
              administrator,
              "INSERT INTO leasehold.lease (tenant_id, id, worker_id, token, attempt, locked_until,"
                  + " when_lost, attempt_started_at, started_at) VALUES (?, ?, gen_random_uuid(),"
                  + " nextval('leasehold.lease_token'), 1, now() + interval '1 h', 'requeue',"
                  + " now(), now())",
              tenant.value(),
              id.value());
      default ->
          execute(
              administrator,
              "INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, started_at,"
                  + " attempts, token, result) VALUES (?, ?, ?, now(), now(), 1, 1, '\"done\"')",
              tenant.value(),
              id.value(),
              status.word());
    }
  }

  private static void execute(Connection administrator, String sql, @Nullable Object... values)
      throws SQLException {
    try (var statement = administrator.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }
}
