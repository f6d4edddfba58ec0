package io.leasehold.db.listen;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt to connect: twice as long each time, up to a bound,
 * shortened by chance. For one thread.
 */
final class Backoff {

  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofSeconds(5);

  private final RandomGenerator random;
  private Duration next = FIRST;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** How long to wait now. Even the first is not none: many lost their connection together. */
  Duration next() {
    var whole = next;
    next = whole.multipliedBy(2).compareTo(MOST) < 0 ? whole.multipliedBy(2) : MOST;
    return Duration.ofNanos((long) (whole.toNanos() * (0.5 + random.nextDouble() / 2)));
  }

  /** The connection has proven good. */
  void reset() {
    next = FIRST;
  }
}
