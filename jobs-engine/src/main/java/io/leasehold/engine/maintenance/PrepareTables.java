package io.leasehold.engine.maintenance;

import static io.leasehold.db.schema.Routines.analyseDays;
import static io.leasehold.db.schema.Routines.prepareDays;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import jakarta.inject.Inject;
import java.time.Duration;

/** Prepares the partitioned tables for the jobs of the next days. */
final class PrepareTables {

  private static final Duration A_DAY = Duration.ofDays(1);
  private static final TransactionOptions LONG =
      TransactionOptions.defaults()
          .statementTimeout(Duration.ofMinutes(5))
          .timeout(Duration.ofMinutes(10));

  private final Transactions transactions;

  @Inject
  PrepareTables(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Creates the partitions of the next days. */
  void days(int ahead) {
    transactions.asEngine(tx -> tx.fetchSingle(select(prepareDays(1, ahead))));
  }

  /** Has the server analyse the partitions, once a day in the first process that gets there. */
  void analyse() {
    // Under a random worker id that is never used again, so that no worker can renew the lead.
    if (transactions.asEngine(tx -> TakeLead.take(tx, "analyse", WorkerId.random(), A_DAY))) {
      transactions.asEngine(LONG, tx -> tx.fetchSingle(select(analyseDays())));
    }
  }
}
