package io.leasehold.jobs;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Doubles the wait after each failure, up to a limit, with random jitter.
 *
 * @param maxAttempts the maximum number of attempts, 1 to 30,000
 * @param first the wait after the first failure
 * @param most the maximum wait
 * @param jitter the greatest fraction of a wait that randomness removes, 0 to 1
 */
public record ExponentialBackoff(int maxAttempts, Duration first, Duration most, double jitter)
    implements RetryPolicy {

  private static final int ATTEMPTS_MAX = 30_000;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds
   */
  public ExponentialBackoff {
    if (maxAttempts < 1 || maxAttempts > ATTEMPTS_MAX) {
      throw new IllegalArgumentException(
          "maxAttempts must be 1 to %d, not %d".formatted(ATTEMPTS_MAX, maxAttempts));
    }
    if (first.isNegative() || most.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "waits must go up from 0, not from %s to %s".formatted(first, most));
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter must be 0 to 1, not " + jitter);
    }
  }

  /** Returns a copy with this first wait. */
  public ExponentialBackoff first(Duration first) {
    return new ExponentialBackoff(maxAttempts, first, most, jitter);
  }

  /** Returns a copy with this maximum wait. */
  public ExponentialBackoff most(Duration most) {
    return new ExponentialBackoff(maxAttempts, first, most, jitter);
  }

  /** Returns a copy with this jitter; 0 for none. */
  public ExponentialBackoff jitter(double jitter) {
    return new ExponentialBackoff(maxAttempts, first, most, jitter);
  }

  @Override
  public Duration delayAfter(int attempt, RandomGenerator random) {
    var doubled = first.toMillis() * Math.pow(2, attempt - 1.0);
    var bounded = Math.min(doubled, (double) most.toMillis());
    return Duration.ofMillis(Math.round(bounded * (1 - jitter * random.nextDouble())));
  }
}
