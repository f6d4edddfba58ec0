package io.leasehold.engine.work.lease;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;

/** Lets tests of other packages keep leases. */
public final class Keeping {

  private Keeping() {}

  /** Those of this worker. */
  public static KeepLeases leases(Transactions transactions, WorkerId worker) {
    return new KeepLeases(transactions, worker);
  }
}
