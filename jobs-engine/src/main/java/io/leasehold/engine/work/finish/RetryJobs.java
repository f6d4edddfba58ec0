package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.ENDINGS;
import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.SCHEDULED;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.schema.tables.Endings;
import io.leasehold.db.schema.tables.Lease;
import io.leasehold.engine.kernel.Fence;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.mirrors.MirrorQueued;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.DSLContext;
import org.jooq.JSON;

/**
 * Schedules the next attempts of jobs in one statement. The jobs' rows move from {@code lease} to
 * {@code scheduled}, and the finished attempts are recorded. A job is left unchanged if its lease
 * is gone or has another token or worker.
 */
final class RetryJobs {

  private static final Lease ENDED = LEASE.as("ended");
  private static final Endings ENDING = ENDINGS.as("ended");

  private RetryJobs() {}

  /** Returns the jobs that this call rescheduled. */
  static Set<JobId> retry(DSLContext tx, WorkerId worker, List<Ending.Again> endings) {
    var ended =
        tx.with(ended(worker, rows(endings)))
            .with(putOff())
            .with(kept())
            .select(ENDED.ID, ENDED.MIRROR)
            .from(name("ended"))
            .fetch();
    return Set.copyOf(MirrorQueued.write(tx, ended, ENDED.ID, ENDED.MIRROR));
  }

  private static CommonTableExpression<?> ended(WorkerId worker, Endings ending) {
    return name("ended")
        .as(
            deleteFrom(LEASE)
                .using(ending)
                .where(Fence.holds(worker, ending.ID, ending.TOKEN))
                .returning(
                    LEASE.TENANT_ID,
                    LEASE.ID,
                    LEASE.TOKEN,
                    LEASE.ATTEMPT,
                    LEASE.WORKER_ID,
                    LEASE.ATTEMPT_STARTED_AT,
                    LEASE.STARTED_AT,
                    LEASE.MIRROR,
                    ending.STATUS,
                    ending.ERROR,
                    ending.DELAY));
  }

  private static CommonTableExpression<?> putOff() {
    return name("put_off")
        .as(
            insertInto(
                    SCHEDULED,
                    SCHEDULED.TENANT_ID,
                    SCHEDULED.ID,
                    SCHEDULED.QUEUE,
                    SCHEDULED.PRIORITY,
                    SCHEDULED.ATTEMPTS,
                    SCHEDULED.AVAILABLE_AT,
                    SCHEDULED.STARTED_AT,
                    SCHEDULED.REASON)
                .select(
                    select(
                            ENDED.TENANT_ID,
                            ENDED.ID,
                            JOB.QUEUE,
                            JOB.PRIORITY,
                            ENDED.ATTEMPT,
                            currentOffsetDateTime().add(ENDING.DELAY),
                            ENDED.STARTED_AT,
                            inline("retry"))
                        .from(name("ended"))
                        .join(JOB)
                        .on(JOB.TENANT_ID.eq(ENDED.TENANT_ID), JOB.ID.eq(ENDED.ID)))
                .returning(SCHEDULED.ID));
  }

  private static CommonTableExpression<?> kept() {
    return name("kept")
        .as(
            insertInto(
                    ATTEMPT,
                    ATTEMPT.TENANT_ID,
                    ATTEMPT.ID,
                    ATTEMPT.TOKEN,
                    ATTEMPT.ATTEMPT_,
                    ATTEMPT.WORKER_ID,
                    ATTEMPT.STATUS,
                    ATTEMPT.STARTED_AT,
                    ATTEMPT.ENDED_AT,
                    ATTEMPT.RETRY_AT,
                    ATTEMPT.ERROR)
                .select(
                    select(
                            ENDED.TENANT_ID,
                            ENDED.ID,
                            ENDED.TOKEN,
                            ENDED.ATTEMPT,
                            ENDED.WORKER_ID,
                            ENDING.STATUS,
                            ENDED.ATTEMPT_STARTED_AT,
                            currentOffsetDateTime(),
                            currentOffsetDateTime().add(ENDING.DELAY),
                            ENDING.ERROR)
                        .from(name("ended")))
                .returning(ATTEMPT.ID));
  }

  private static Endings rows(List<Ending.Again> endings) {
    return ENDINGS.call(
        endings.stream().map(ending -> ending.id().value()).toArray(UUID[]::new),
        endings.stream().map(Ending.Again::token).toArray(Long[]::new),
        endings.stream().map(ending -> ending.status().word()).toArray(String[]::new),
        new JSON[0],
        endings.stream().map(Ending.Again::error).toArray(String[]::new),
        endings.stream().map(ending -> ending.delay().toMillis()).toArray(Long[]::new));
  }
}
