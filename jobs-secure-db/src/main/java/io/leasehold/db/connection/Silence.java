package io.leasehold.db.connection;

import java.time.Duration;

/**
 * How long a server may be silent before it counts as gone, as when its machine dies without
 * closing the connection.
 *
 * <p>A live server ends a transaction at its limit and reports that, so this time is a little
 * longer.
 */
final class Silence {

  private static final Duration GRACE = Duration.ofSeconds(5);

  private Silence() {}

  static int millis(Duration transactionLimit) {
    return Math.toIntExact(transactionLimit.plus(GRACE).toMillis());
  }

  /** Returns that time in whole seconds, the unit of the driver's properties. */
  static int seconds(Duration transactionLimit) {
    return wholeSeconds(transactionLimit.plus(GRACE));
  }

  /** Returns at least one second, since zero would mean no limit. */
  static int wholeSeconds(Duration limit) {
    return Math.toIntExact(Math.max(1, limit.plusMillis(999).toSeconds()));
  }
}
