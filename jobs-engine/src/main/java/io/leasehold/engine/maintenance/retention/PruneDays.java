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
 * Removes jobs that finished longer than the retention period ago. Drops a whole day if all of its
 * jobs did, and otherwise removes the jobs one by one.
 */
public final class PruneDays {

  private static final Logger log = LoggerFactory.getLogger(PruneDays.class);

  private static final int AT_ONCE = 1_000;

  /** How long a day may stay busy before its jobs are removed one by one instead of by a drop. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  /** Checking all jobs of a day may take longer than the default statement timeout. */
  private static final TransactionOptions LONG =
      TransactionOptions.defaults()
          .statementTimeout(Duration.ofMinutes(5))
          .timeout(Duration.ofMinutes(10));

  private final Transactions transactions;

  @Inject
  PruneDays(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Removes jobs that finished longer than {@code retention} ago. */
  public void prune(Duration retention) {
    var days = transactions.asEngine(FindDays::find);
    for (var day : days.olderThan(retention)) {
      prune(days, day, retention);
    }
    for (var range : days.between()) {
      prune(range, retention, Which.ALL);
    }
  }

  // Rows that are not dropped with the partitions are removed first, in short transactions. While
  // the day itself is locked, a submission with a key of one of its jobs would have to wait.
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
