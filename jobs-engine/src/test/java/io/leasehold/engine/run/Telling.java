package io.leasehold.engine.run;

import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.ClaimedJob;
import io.leasehold.engine.claim.WorkerId;

/** Lets tests of other packages say how far a job is. */
public final class Telling {

  private Telling() {}

  /** Says that it is half done. */
  public static void half(Transactions transactions, WorkerId worker, ClaimedJob job) {
    new TellOfJob(transactions, worker).progress(job, (short) 50, "half");
  }
}
