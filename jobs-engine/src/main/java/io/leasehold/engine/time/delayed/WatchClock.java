package io.leasehold.engine.time.delayed;

import static io.leasehold.db.schema.Tables.WATCH_CLOCK;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the database compare its clock with the latest time that any process has seen, and detects
 * when the clock goes back. Not thread-safe.
 */
public final class WatchClock {

  private static final Logger log = LoggerFactory.getLogger(WatchClock.class);

  /** An older step has already been logged by processes that started earlier. */
  private static final Duration OLD = Duration.ofMinutes(1);

  private static final Duration HELD_MOST = Duration.ofHours(1);

  private static final TransactionOptions ONE =
      TransactionOptions.defaults().statementTimeout(Duration.ofSeconds(1)).asOneStatement();

  private final Transactions transactions;
  private final SignsOfLife signs;
  private Optional<OffsetDateTime> last = Optional.empty();

  @Inject
  WatchClock(Transactions transactions, SignsOfLife signs) {
    this.transactions = transactions;
    this.signs = signs;
  }

  private record Step(OffsetDateTime at, Duration by, Duration ago) {

    // Until the clock reaches its former time again. The hour on top is for rows that were locked
    // while the others were healed, and for an earlier and larger step.
    boolean mayLeaveRowsAhead() {
      return ago.compareTo(by.plus(HELD_MOST)) < 0;
    }
  }

  /** Compares the clocks, and records whether the database answers. */
  public void look() {
    lookBefore(mayBeAhead -> mayBeAhead);
  }

  /**
   * Compares the clocks and then does the work. Records from both whether the database answers.
   *
   * @param work receives whether rows may be ahead of the clock
   */
  <T> T lookBefore(Function<Boolean, T> work) {
    try {
      var step = step();
      step.ifPresent(this::tell);
      var done = work.apply(step.filter(Step::mayLeaveRowsAhead).isPresent());
      signs.databaseAnswered();
      return done;
    } catch (JobsException e) {
      signs.databaseFailed(e);
      throw e;
    }
  }

  private Optional<Step> step() {
    return transactions.asEngine(
        ONE,
        tx -> {
          var noted = WATCH_CLOCK.call();
          return tx.select(noted.BACK_AT, noted.BACK_BY_MS, noted.AGO_MS)
              .from(noted)
              .fetchOptional(
                  row ->
                      new Step(
                          row.value1(),
                          Duration.ofMillis(row.value2()),
                          Duration.ofMillis(row.value3())));
        });
  }

  private void tell(Step step) {
    var isNew = !last.equals(Optional.of(step.at()));
    if (isNew) {
      last = Optional.of(step.at());
      signs.clockWentBack(step.by(), step.ago());
    }
    if (isNew && step.ago().compareTo(OLD) < 0) {
      log.warn(
          "the clock of the database went back by {}:"
              + " leads, leases, delays and schedules that are ahead of it are healed",
          step.by());
    }
  }
}
