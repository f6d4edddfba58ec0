package io.leasehold.engine.maintenance.retention;

import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.leasehold.db.schema.tables.Outcome;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.Set;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.TableField;

/**
 * Removes finished jobs with everything that belongs to them, in one statement.
 *
 * <p>The subquery that picks the jobs locks their outcomes and skips those that other transactions
 * hold. This makes the rest safe, since all changes to rows of a finished job require the lock on
 * its outcome.
 */
public final class RemoveJobs {

  private static final Outcome GONE = OUTCOME.as("gone");

  private RemoveJobs() {}

  /** Returns the removed jobs. All picked jobs have to be in the range. */
  public static Set<JobId> remove(
      DSLContext tx, IdRange range, Select<Record2<TenantId, JobId>> picked) {
    return tx.with(name("gone").asMaterialized(picked))
        .with(Belonging.ALL.stream().map(RemoveJobs::belonging).toList())
        .with(record("outcomes", OUTCOME, OUTCOME.TENANT_ID, OUTCOME.ID, range))
        .with(record("jobs", JOB, JOB.TENANT_ID, JOB.ID, range))
        .select(GONE.ID)
        .from(name("gone"))
        .fetchSet(GONE.ID);
  }

  private static CommonTableExpression<?> belonging(Belonging belonging) {
    return name("gone_" + belonging.table().getName())
        .as(
            deleteFrom(belonging.table())
                .using(table(name("gone")))
                .where(belonging.id().eq(GONE.ID))
                .returning(belonging.id()));
  }

  // The range is repeated here; otherwise the partitions of all days would be scanned.
  private static CommonTableExpression<?> record(
      String name,
      Table<?> table,
      TableField<?, TenantId> tenant,
      TableField<?, JobId> id,
      IdRange range) {
    return name(name)
        .as(
            deleteFrom(table)
                .using(table(name("gone")))
                .where(tenant.eq(GONE.TENANT_ID), id.eq(GONE.ID), range.contains(id))
                .returning(id));
  }
}
