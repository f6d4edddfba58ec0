package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.ATTEMPT;
import static io.leasehold.db.schema.Tables.LEASES;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;

/**
 * Finds attempts whose ending is already written, by the lease token that is stored with it. This
 * distinguishes a commit whose answer was lost from a lost lease.
 */
final class FindEnded {

  private FindEnded() {}

  /** Returns the jobs whose ending is written under one of these leases. */
  static Set<JobId> find(DSLContext tx, Collection<HeldLease> attempts) {
    var leases =
        LEASES.call(
            attempts.stream().map(one -> one.id().value()).toArray(UUID[]::new),
            attempts.stream().map(HeldLease::token).toArray(Long[]::new));
    return tx.select(leases.ID)
        .from(leases)
        .join(OUTCOME)
        .on(OUTCOME.ID.eq(leases.ID), OUTCOME.TOKEN.eq(leases.TOKEN))
        .union(
            select(leases.ID)
                .from(leases)
                .join(ATTEMPT)
                .on(ATTEMPT.ID.eq(leases.ID), ATTEMPT.TOKEN.eq(leases.TOKEN))
                // A rescue, a release or a put-off wrote these under the same token.
                .where(ATTEMPT.STATUS.notIn(inline("lost"), inline("released"), inline("put_off"))))
        .fetchSet(leases.ID);
  }
}
