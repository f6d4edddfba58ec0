package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Leasehold.LEASEHOLD;

import io.leasehold.db.schema.tables.Job;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Table;

/**
 * What goes with a job besides its two records: the tables whose comment in the database says so,
 * as the database's own {@code forget_job} reads it.
 *
 * @param table of which
 * @param id the column that names the job
 */
record Belonging(Table<?> table, Field<JobId> id) {

  private static final String COMMENT = "belongs to a job";

  /** All there are. */
  static final List<Belonging> ALL =
      LEASEHOLD.getTables().stream()
          .filter(table -> table.getComment().equals(COMMENT))
          .map(table -> new Belonging(table, idOf(table)))
          .toList();

  private static Field<JobId> idOf(Table<?> table) {
    return Objects.requireNonNull(table.field(Job.JOB.ID), () -> table + " has no id of a job");
  }
}
