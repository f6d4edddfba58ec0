package io.leasehold.db.connection;

import java.time.Duration;

/**
 * How long a server may say nothing before it is taken for gone: as its machine may be, without a
 * word to anybody.
 *
 * <p>A live one ends a transaction at its limit, and says so, so this is somewhat longer.
 */
final class Silence {

  private static final Duration GRACE = Duration.ofSeconds(5);

  private Silence() {}

  static int millis(Duration transactionLimit) {
    return Math.toIntExact(transactionLimit.plus(GRACE).toMillis());
  }

  /** The same in whole seconds, which is what the driver's properties count in. */
  static int seconds(Duration transactionLimit) {
    return wholeSeconds(transactionLimit.plus(GRACE));
  }

  /** At least one: none would mean without end. */
  static int wholeSeconds(Duration limit) {
    return Math.toIntExact(Math.max(1, limit.plusMillis(999).toSeconds()));
  }
}
