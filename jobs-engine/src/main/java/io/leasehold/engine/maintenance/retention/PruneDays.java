package io.leasehold.engine.maintenance.retention;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.maintenance.retention.PruneJobs.Which;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes jobs that ended a retention ago: a day at a time where all of its jobs did, else one by
 * one.
 */
public final class PruneDays {

  private static final Logger log = LoggerFactory.getLogger(PruneDays.class);

  private static final int AT_ONCE = 1_000;

  /** So long a day waits for the moment to be dropped in before its jobs are removed one by one. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  /** A look at all jobs of a day may take longer than statements are given as a rule. */
  private static final TransactionOptions LONG =
      TransactionOptions.defaults()
          .statementTimeout(Duration.ofMinutes(5))
          .timeout(Duration.ofMinutes(10));

  private final Transactions transactions;

  @Inject
  PruneDays(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Removes what ended so long ago. */
  public void prune(Duration retention) {
    var days = transactions.asEngine(FindDays::find);
    for (var day : days.olderThan(retention)) {
      prune(days, day, retention);
    }
    for (var range : days.between()) {
      prune(range, retention, Which.ALL);
    }
  }

  // What does not go with the partitions goes before, in short transactions: while the day itself
  // is held, a submission with a key of one of its jobs would wait.
  private void prune(Days days, LocalDate day, Duration retention) {
    var range = IdRange.ofDays(day, day.plusDays(1));
    prune(range, retention, Which.WITH_BELONGINGS);
    var drop = transactions.asEngine(LONG, tx -> DropDay.drop(tx, day, retention));
    log.debug("the day {}: {}", day, drop);
    var oneByOne =
        switch (drop) {
          case DROPPED -> false;
          case KEPT -> true;
          case BUSY -> days.isOlder(day, retention.plus(PATIENCE));
        };
    if (oneByOne) {
      prune(range, retention, Which.ALL);
    }
  }

  private void prune(IdRange range, Duration retention, Which which) {
    int removed;
    do {
      removed =
          transactions.asEngine(LONG, tx -> PruneJobs.prune(tx, range, retention, which, AT_ONCE));
    } while (removed == AT_ONCE);
  }
}
