package io.leasehold.engine.maintenance.retention;

import io.leasehold.db.Transactions;
import io.leasehold.engine.maintenance.cancels.FollowCancels;
import io.leasehold.engine.signal.watch.Watching;
import java.time.Duration;

/** Lets tests of other packages end and remove jobs. */
public final class Following {

  private Following() {}

  /** Does it as the upkeep does. */
  public static void cancels(Transactions transactions) {
    new FollowCancels(transactions, Watching.none(), new LookingDependents()).follow();
  }

  /** Removes what ended longer ago than the retention, of whatever day. */
  public static void prunes(Transactions transactions, Duration retention) {
    transactions.asEngine(
        tx -> PruneJobs.prune(tx, IdRange.ALL, retention, PruneJobs.Which.ALL, 1_000));
  }
}
