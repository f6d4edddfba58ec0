package io.leasehold.db.transaction;

import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs a whole transaction again if nothing of it was committed and another attempt may succeed.
 *
 * <p>It never runs again after a commit whose answer was lost, since the commit may have happened.
 */
record Attempts(int max) {

  private static final Set<ErrorCode> WORTH_ANOTHER =
      Set.of(ErrorCode.SERIALIZATION_FAILURE, ErrorCode.DEADLOCK, ErrorCode.DATABASE_UNREACHABLE);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  static Attempts of(TransactionOptions options) {
    return new Attempts(options.attempts());
  }

  <T extends @Nullable Object, E extends Exception> T run(TransactionEnd.Work<T, E> transaction)
      throws E {
    for (int attempt = 1; ; attempt++) {
      try {
        return transaction.run();
      } catch (JobsException e) {
        if (attempt >= max || !WORTH_ANOTHER.contains(e.code()) || !paused(attempt)) {
          throw e;
        }
      }
    }
  }

  // The pause grows each time, and is random, so that two conflicting transactions do not meet
  // again.
  private static boolean paused(int attempt) {
    var longest =
        Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(attempt, 10));
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(1, longest + 1));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
