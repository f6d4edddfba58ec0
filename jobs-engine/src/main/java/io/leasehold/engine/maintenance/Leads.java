package io.leasehold.engine.maintenance;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import jakarta.inject.Inject;
import java.time.Duration;

/** The tasks that this worker leads, so that other processes leave them to it. */
final class Leads {

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final TransactionOptions SHORT =
      TransactionOptions.defaults().statementTimeout(Duration.ofSeconds(1));

  private final Transactions transactions;
  private final WorkerId worker;

  @Inject
  Leads(Transactions transactions, WorkerId worker) {
    this.transactions = transactions;
    this.worker = worker;
  }

  /**
   * Runs a task if this worker leads the duty. The worker then stays the leader for {@code lead}.
   */
  void asLeader(String duty, Duration lead, Runnable work) {
    if (transactions.asEngine(ONE, tx -> TakeLead.take(tx, duty, worker, lead))) {
      work.run();
    }
  }

  /** Gives up all leads, so that other processes need not wait until they expire. */
  void giveUp() {
    transactions.asEngine(SHORT, tx -> GiveUpLead.all(tx, worker));
  }
}
