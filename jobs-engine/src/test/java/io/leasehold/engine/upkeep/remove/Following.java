package io.leasehold.engine.upkeep.remove;

import io.leasehold.db.Transactions;
import io.leasehold.engine.watch.Watching;

/** Lets tests of other packages end and remove what was cancelled. */
public final class Following {

  private Following() {}

  /** Does it as the upkeep does. */
  public static void cancels(Transactions transactions) {
    new FollowCancels(transactions, Watching.nobody(), new LookingDependents()).follow();
  }
}
