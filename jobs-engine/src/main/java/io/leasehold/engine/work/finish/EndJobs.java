package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.ENDINGS;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.schema.tables.Endings;
import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.JSON;

/**
 * Ends jobs for good in one statement: their rows move from {@code lease} to {@code outcome}. A job
 * is left unchanged if its lease is gone or has another token or worker.
 */
final class EndJobs {

  private static final Lease ENDED = LEASE.as("ended");
  private static final Endings ENDING = ENDINGS.as("ended");

  private EndJobs() {}

  /** Returns the jobs that this call ended. */
  static Set<JobId> end(DSLContext tx, WorkerId worker, List<Ending.Last> endings) {
    var ending = rows(endings);
    var ended =
        name("ended")
            .as(
                deleteFrom(LEASE)
                    .using(ending)
                    .where(Fence.holds(worker, ending.ID, ending.TOKEN))
                    .returning(
                        LEASE.TENANT_ID,
                        LEASE.ID,
                        LEASE.STARTED_AT,
                        LEASE.ATTEMPT_STARTED_AT,
                        LEASE.ATTEMPT,
                        LEASE.TOKEN,
                        LEASE.MIRROR,
                        ending.STATUS,
                        ending.RESULT,
                        ending.ERROR));
    var written =
        name("written")
            .as(
                insertInto(
                        OUTCOME,
                        OUTCOME.TENANT_ID,
                        OUTCOME.ID,
                        OUTCOME.STATUS,
                        OUTCOME.FINISHED_AT,
                        OUTCOME.STARTED_AT,
                        OUTCOME.ATTEMPT_STARTED_AT,
                        OUTCOME.ATTEMPTS,
                        OUTCOME.TOKEN,
                        OUTCOME.RESULT,
                        OUTCOME.ERROR,
                        OUTCOME.MIRROR)
                    .select(
                        select(
                                ENDED.TENANT_ID,
                                ENDED.ID,
                                ENDING.STATUS,
                                currentOffsetDateTime(),
                                ENDED.STARTED_AT,
                                nullif(ENDED.ATTEMPT_STARTED_AT, ENDED.STARTED_AT),
                                ENDED.ATTEMPT,
                                ENDED.TOKEN,
                                ENDING.RESULT,
                                ENDING.ERROR,
                                ENDED.MIRROR)
                            .from(name("ended")))
                    .returning(OUTCOME.ID));
    return tx.with(ended).with(written).select(ENDED.ID).from(name("ended")).fetchSet(ENDED.ID);
  }

  private static Endings rows(List<Ending.Last> endings) {
    return ENDINGS.call(
        endings.stream().map(ending -> ending.id().value()).toArray(UUID[]::new),
        endings.stream().map(Ending.Last::token).toArray(Long[]::new),
        endings.stream().map(ending -> ending.status().word()).toArray(String[]::new),
        endings.stream().map(Ending.Last::result).toArray(JSON[]::new),
        endings.stream().map(ending -> ending.error().orElse(null)).toArray(String[]::new),
        new Long[0]);
  }
}
