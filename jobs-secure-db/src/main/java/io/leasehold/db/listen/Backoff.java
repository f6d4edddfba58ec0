package io.leasehold.db.listen;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The wait before the next attempt to connect. It doubles each time up to a bound, and is shortened
 * at random. Not thread-safe.
 */
final class Backoff {

  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofSeconds(5);

  private final RandomGenerator random;
  private Duration next = FIRST;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Returns the next wait. Even the first is above zero, since many processes lose their
   * connections together.
   */
  Duration next() {
    var whole = next;
    next = whole.multipliedBy(2).compareTo(MOST) < 0 ? whole.multipliedBy(2) : MOST;
    return Duration.ofNanos((long) (whole.toNanos() * (0.5 + random.nextDouble() / 2)));
  }

  /** Resets the wait after a successful connection. */
  void reset() {
    next = FIRST;
  }
}
