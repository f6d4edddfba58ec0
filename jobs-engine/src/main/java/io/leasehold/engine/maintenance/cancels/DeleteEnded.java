package io.leasehold.engine.maintenance.cancels;

import static io.leasehold.db.schema.Tables.CANCEL_REQUEST;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectDistinct;

import io.leasehold.db.schema.tables.CancelRequest;
import io.leasehold.engine.maintenance.retention.IdRange;
import io.leasehold.engine.maintenance.retention.RemoveJobs;
import io.leasehold.jobs.JobId;
import java.util.Set;
import org.jooq.DSLContext;

/** Deletes jobs that ended after their deletion was requested while they ran. */
final class DeleteEnded {

  private static final CancelRequest ASKED = CANCEL_REQUEST.as("asked");

  private DeleteEnded() {}

  /** Returns the deleted jobs. */
  static Set<JobId> delete(DSLContext tx, int limit) {
    return RemoveJobs.remove(
        tx,
        IdRange.ALL,
        select(OUTCOME.TENANT_ID, OUTCOME.ID)
            .from(OUTCOME)
            .join(
                selectDistinct(CANCEL_REQUEST.TENANT_ID, CANCEL_REQUEST.ID)
                    .from(CANCEL_REQUEST)
                    .where(CANCEL_REQUEST.THEN_DELETE)
                    .asTable("asked"))
            .on(OUTCOME.TENANT_ID.eq(ASKED.TENANT_ID), OUTCOME.ID.eq(ASKED.ID))
            .orderBy(OUTCOME.ID, OUTCOME.TENANT_ID)
            .limit(limit)
            .forUpdate()
            .of(OUTCOME)
            .skipLocked());
  }
}
