package io.leasehold.engine.work.outputs;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.OUTPUT;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.JobOutput;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** Reads the outputs of a job. Uses {@code output_is_one_per_name}. */
final class ReadOutputs {

  private ReadOutputs() {}

  /**
   * An output and its location.
   *
   * @param tenant the tenant of the job
   * @param file the file with the bytes
   * @param output the output as callers see it
   */
  record Named(TenantId tenant, String file, JobOutput output) {}

  /** Returns all outputs of the job, or empty if the caller may not read the job. */
  static Optional<List<JobOutput>> list(ScopedTransaction tx, JobId id) {
    var rows =
        tx.dsl()
            .select(JOB_STATUS_V.JOB_ID)
            .select(OUTPUT.NAME, OUTPUT.MEDIA_TYPE, OUTPUT.SIZE, OUTPUT.SHA256, OUTPUT.KEPT_AT)
            .from(JOB_STATUS_V)
            .leftJoin(OUTPUT)
            .on(OUTPUT.TENANT_ID.eq(JOB_STATUS_V.TENANT_ID), OUTPUT.ID.eq(JOB_STATUS_V.JOB_ID))
            .where(JOB_STATUS_V.JOB_ID.eq(id))
            .orderBy(OUTPUT.NAME)
            .fetch();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            rows.stream()
                .filter(row -> row.get(OUTPUT.NAME) != null) // Only the job was found.
                .map(ReadOutputs::output)
                .toList());
  }

  /** Returns one output. */
  static Optional<Named> find(ScopedTransaction tx, JobId id, String name) {
    return tx.dsl()
        .select(OUTPUT.TENANT_ID, OUTPUT.FILE)
        .select(OUTPUT.NAME, OUTPUT.MEDIA_TYPE, OUTPUT.SIZE, OUTPUT.SHA256, OUTPUT.KEPT_AT)
        .from(OUTPUT)
        .where(OUTPUT.ID.eq(id), OUTPUT.NAME.eq(name))
        .fetchOptional(
            row -> new Named(row.get(OUTPUT.TENANT_ID), row.get(OUTPUT.FILE), output(row)));
  }

  private static JobOutput output(Record row) {
    return new JobOutput(
        row.get(OUTPUT.NAME),
        row.get(OUTPUT.MEDIA_TYPE),
        row.get(OUTPUT.SIZE),
        row.get(OUTPUT.SHA256),
        row.get(OUTPUT.KEPT_AT).toInstant());
  }
}
