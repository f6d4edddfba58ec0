package io.leasehold.engine.work.finish;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.service.submit.NoDependents;
import io.leasehold.engine.signal.watch.Watching;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.Set;

/** Lets tests of other packages write endings. */
public final class Flushing {

  private Flushing() {}

  /** Writes them as the finisher does. */
  public static Set<JobId> write(Transactions transactions, WorkerId worker, List<Ending> endings) {
    var notify = new NotifyOfEnds(Watching.none(), new NoDependents());
    return new WriteEndings(transactions, worker, notify).write(endings);
  }
}
