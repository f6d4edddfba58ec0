package io.leasehold.engine.upkeep.remove;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.BATCH_JOB;
import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;
import static io.leasehold.db.schema.Tables.CHECKPOINT;
import static io.leasehold.db.schema.Tables.DEPENDENCY;
import static io.leasehold.db.schema.Tables.EVENT;
import static io.leasehold.db.schema.Tables.JOB_KEY;
import static io.leasehold.db.schema.Tables.MIRROR_RECORD;
import static io.leasehold.db.schema.Tables.OUTPUT;
import static io.leasehold.db.schema.Tables.PROGRESS;
import static io.leasehold.db.schema.Tables.STEP;

import io.leasehold.jobs.JobId;
import java.util.List;
import org.jooq.Table;
import org.jooq.TableField;

/**
 * What goes with a job besides its two records: the same tables as in the database's {@code
 * forget_job}.
 *
 * @param table of which
 * @param id the column that names the job
 */
record Belonging(Table<?> table, TableField<?, JobId> id) {

  /** All there are. */
  static final List<Belonging> ALL =
      List.of(
          new Belonging(ATTEMPT, ATTEMPT.ID),
          new Belonging(JOB_KEY, JOB_KEY.ID),
          new Belonging(CANCEL_REQUEST, CANCEL_REQUEST.ID),
          new Belonging(PROGRESS, PROGRESS.ID),
          new Belonging(EVENT, EVENT.ID),
          new Belonging(STEP, STEP.ID),
          new Belonging(CHECKPOINT, CHECKPOINT.ID),
          new Belonging(OUTPUT, OUTPUT.ID),
          new Belonging(DEPENDENCY, DEPENDENCY.ID),
          new Belonging(BATCH_JOB, BATCH_JOB.ID),
          new Belonging(MIRROR_RECORD, MIRROR_RECORD.ID));
}
