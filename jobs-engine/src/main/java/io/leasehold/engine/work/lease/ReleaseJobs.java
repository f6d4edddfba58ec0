package io.leasehold.engine.work.lease;

import io.leasehold.db.schema.Routines;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Releases jobs that this worker will not finish: their rows move from {@code lease} to {@code
 * ready}, so that others can claim them immediately. A job that continues without a worker keeps
 * its lease, which another worker adopts. A lease that another statement holds is skipped.
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
    var released =
        Routines.releaseJobs(worker.value(), OwnLeases.ids(held), OwnLeases.tokens(held), begun);
    return tx.select(released).fetchSingle().value1();
  }
}
