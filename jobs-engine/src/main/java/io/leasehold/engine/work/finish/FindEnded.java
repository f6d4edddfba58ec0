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
    var its =
        LEASES.call(
            attempts.stream().map(one -> one.id().value()).toArray(UUID[]::new),
            attempts.stream().map(HeldLease::token).toArray(Long[]::new));
    return tx.select(its.ID)
        .from(its)
        .join(OUTCOME)
        .on(OUTCOME.ID.eq(its.ID), OUTCOME.TOKEN.eq(its.TOKEN))
        .union(
            select(its.ID)
                .from(its)
                .join(ATTEMPT)
                .on(ATTEMPT.ID.eq(its.ID), ATTEMPT.TOKEN.eq(its.TOKEN))
                // A rescue, a release or a put-off wrote these under the same token.
                .where(ATTEMPT.STATUS.notIn(inline("lost"), inline("released"), inline("put_off"))))
        .fetchSet(its.ID);
  }
}
