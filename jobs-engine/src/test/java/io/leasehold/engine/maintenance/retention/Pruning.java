package io.leasehold.engine.maintenance.retention;

import io.leasehold.db.Transactions;
import java.time.Duration;

/** Lets tests of other packages remove old jobs. */
public final class Pruning {

  private Pruning() {}

  /** Removes them as the upkeep does. */
  public static void prune(Transactions transactions, Duration retention) {
    new PruneDays(transactions).prune(retention);
  }
}
