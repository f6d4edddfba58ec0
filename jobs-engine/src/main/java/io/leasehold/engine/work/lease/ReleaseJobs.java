package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.READY;
import static io.leasehold.engine.work.lease.GivenUp.LEASES_GIVEN_UP;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.when;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.mirrors.MirrorQueued;
import java.time.OffsetDateTime;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Releases jobs that this worker will not finish, so that others can claim them immediately. In one
 * statement their rows move from {@code lease} to {@code ready}. Before that, {@link OrphanJobs}
 * takes the jobs that continue without a worker.
 */
public final class ReleaseJobs {

  private ReleaseJobs() {}

  /**
   * Returns how many jobs were released.
   *
   * @param begun whether their handlers have begun: if so, the attempt counts and is recorded
   */
  public static int release(
      DSLContext tx, WorkerId worker, Collection<HeldLease> held, boolean begun) {
    var orphans = OrphanJobs.givenUp(tx, worker, held, begun).size();
    return orphans + queue(tx, worker, held, begun);
  }

  private static int queue(
      DSLContext tx, WorkerId worker, Collection<HeldLease> held, boolean begun) {
    var attempts = begun ? LEASES_GIVEN_UP.ATTEMPT : LEASES_GIVEN_UP.ATTEMPT.sub(inline((short) 1));
    var startedAt =
        begun
            ? LEASES_GIVEN_UP.STARTED_AT
            : when(LEASES_GIVEN_UP.ATTEMPT.gt(inline((short) 1)), LEASES_GIVEN_UP.STARTED_AT);
    var isSeen = begun ? trueCondition() : condition(LEASES_GIVEN_UP.HANDLER_BEGUN);
    var queued =
        insertInto(
                READY,
                READY.TENANT_ID,
                READY.ID,
                READY.QUEUE,
                READY.PRIORITY,
                READY.ATTEMPTS,
                READY.AVAILABLE_AT,
                READY.STARTED_AT)
            .select(
                select(
                        LEASES_GIVEN_UP.TENANT_ID,
                        LEASES_GIVEN_UP.ID,
                        JOB.QUEUE,
                        JOB.PRIORITY,
                        attempts,
                        currentOffsetDateTime(),
                        startedAt)
                    .from(name("given_up"))
                    .join(JOB)
                    .on(JOB.TENANT_ID.eq(LEASES_GIVEN_UP.TENANT_ID), JOB.ID.eq(LEASES_GIVEN_UP.ID)))
            .returning(READY.ID);
    var released =
        tx.with(GivenUp.by(worker, held, not(OrphanJobs.goOn(LEASE, begun))))
            .with(GivenUp.kept("released", isSeen, inline((OffsetDateTime) null)))
            .with(name("queued").as(queued))
            .select(LEASES_GIVEN_UP.ID, LEASES_GIVEN_UP.MIRROR)
            .from(name("given_up"))
            .fetch();
    return MirrorQueued.write(tx, released, LEASES_GIVEN_UP.ID, LEASES_GIVEN_UP.MIRROR).size();
  }
}
