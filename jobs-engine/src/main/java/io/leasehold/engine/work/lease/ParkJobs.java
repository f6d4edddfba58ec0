package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.SCHEDULED;
import static io.leasehold.engine.work.lease.GivenUp.LEASES_GIVEN_UP;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.mirrors.MirrorQueued;
import io.leasehold.jobs.JobId;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.types.DayToSecond;

/**
 * Puts aside jobs that this worker currently cannot work on, in one statement. Their rows move from
 * {@code lease} to {@code scheduled}, and no attempt is counted. When the jobs are due again, any
 * worker that can run them may claim them; until then they block no other job.
 */
public final class ParkJobs {

  private ParkJobs() {}

  private static Field<OffsetDateTime> dueIn(Duration delay) {
    return currentOffsetDateTime().add(DayToSecond.valueOf(delay));
  }

  // A worker without the handler has not begun the job.
  private static Condition hasRun(PutOff why) {
    return why == PutOff.LATER
        ? trueCondition()
        : LEASES_GIVEN_UP
            .ATTEMPT
            .gt(inline((short) 1))
            .or(condition(LEASES_GIVEN_UP.HANDLER_BEGUN));
  }

  /** Returns the jobs that were put aside. */
  public static Set<JobId> park(
      DSLContext tx, WorkerId worker, Collection<HeldLease> held, Duration delay, PutOff why) {
    var putOff =
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
                        LEASES_GIVEN_UP.TENANT_ID,
                        LEASES_GIVEN_UP.ID,
                        JOB.QUEUE,
                        JOB.PRIORITY,
                        LEASES_GIVEN_UP.ATTEMPT.sub(inline((short) 1)),
                        dueIn(delay),
                        when(hasRun(why), LEASES_GIVEN_UP.STARTED_AT),
                        val(why.word()))
                    .from(name("given_up"))
                    .join(JOB)
                    .on(JOB.TENANT_ID.eq(LEASES_GIVEN_UP.TENANT_ID), JOB.ID.eq(LEASES_GIVEN_UP.ID)))
            .returning(SCHEDULED.ID);
    var parked =
        tx.with(GivenUp.by(worker, held, trueCondition()))
            .with(GivenUp.kept("put_off", condition(LEASES_GIVEN_UP.HANDLER_BEGUN), dueIn(delay)))
            .with(name("put_off").as(putOff))
            .select(LEASES_GIVEN_UP.ID, LEASES_GIVEN_UP.MIRROR)
            .from(name("given_up"))
            .fetch();
    return Set.copyOf(MirrorQueued.write(tx, parked, LEASES_GIVEN_UP.ID, LEASES_GIVEN_UP.MIRROR));
  }
}
