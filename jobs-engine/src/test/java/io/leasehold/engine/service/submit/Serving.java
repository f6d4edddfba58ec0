package io.leasehold.engine.service.submit;

import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.signal.watch.Watching;
import io.leasehold.jobs.JobService;
import java.time.Duration;

/** Lets tests of other packages call the service on transactions of theirs. */
public final class Serving {

  private Serving() {}

  /** The service that callers have, which notifies no worker of new jobs. */
  public static JobService on(Transactions transactions) {
    return new TransactionalJobService(
        transactions,
        new WakeUps() {
          @Override
          public void jobsIn(String queue) {}

          @Override
          public void jobsDueIn(Duration delay) {}

          @Override
          public void cancellations() {}
        },
        Watching.none(),
        Measuring.unrecorded(),
        (caller, job, changed) -> () -> {},
        new NoDependents());
  }
}
