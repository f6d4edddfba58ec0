package io.leasehold.engine.work.events;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.steps.Holder;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;

/**
 * Writes the events of jobs. Runs at most two statements at a time in a process, because the engine
 * has few connections and also needs them to renew leases. Thread-safe.
 */
@Singleton
public final class Writes {

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final int AT_ONCE = 2;

  private final Transactions transactions;
  private final JobChanges changes;
  private final Semaphore turns = new Semaphore(AT_ONCE, true);

  @Inject
  Writes(Transactions transactions, JobChanges changes) {
    this.transactions = transactions;
    this.changes = changes;
  }

  void write(Holder holder, EventBatch batch) {
    turns.acquireUninterruptibly();
    try {
      transactions.asEngine(
          ONE,
          tx -> {
            TellEvents.tell(tx, holder, batch);
            return batch;
          });
    } finally {
      turns.release();
    }
    changes.changed(holder.id());
  }

  int count(Holder holder) {
    turns.acquireUninterruptibly();
    try {
      return transactions.asEngine(ONE, tx -> CountEvents.count(tx, holder));
    } finally {
      turns.release();
    }
  }
}
