package io.leasehold.engine.service.queues;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.RegisteredWorker;
import io.leasehold.engine.WorkerRegistry;
import java.time.Duration;
import java.util.List;

/** The stored workers, read with the engine's role. */
public final class StoredWorkers implements WorkerRegistry {

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final Duration staleAfter;

  public StoredWorkers(Transactions transactions, Duration staleAfter) {
    this.transactions = transactions;
    this.staleAfter = staleAfter;
  }

  @Override
  public List<RegisteredWorker> workers() {
    return transactions.asEngine(ONE, tx -> ListWorkers.list(tx, staleAfter));
  }
}
