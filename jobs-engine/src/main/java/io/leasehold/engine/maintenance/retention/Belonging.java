package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Leasehold.LEASEHOLD;

import io.leasehold.db.schema.tables.Job;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Table;

/**
 * Rows that are removed with a job besides its two records. The tables are those whose comment in
 * the database says so, which the database function {@code forget_job} reads as well.
 *
 * @param table the table
 * @param id the column with the id of the job
 */
record Belonging(Table<?> table, Field<JobId> id) {

  private static final String COMMENT = "belongs to a job";

  /** All such tables. */
  static final List<Belonging> ALL =
      LEASEHOLD.getTables().stream()
          .filter(table -> table.getComment().equals(COMMENT))
          .map(table -> new Belonging(table, idOf(table)))
          .toList();

  private static Field<JobId> idOf(Table<?> table) {
    return Objects.requireNonNull(table.field(Job.JOB.ID), () -> table + " has no id of a job");
  }
}
