package io.leasehold.jobs;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Doubles the wait after each failure, up to a limit, and shortens it by chance.
 *
 * @param maxAttempts how often a job is attempted at most, 1 to 30,000
 * @param first the wait after the first failure
 * @param most what no wait exceeds
 * @param jitter the greatest part of a wait that chance takes away, 0 to 1
 */
public record ExponentialBackoff(int maxAttempts, Duration first, Duration most, double jitter)
    implements RetryPolicy {

  private static final int ATTEMPTS_MAX = 30_000;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
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

  /** The same with another first wait. */
  public ExponentialBackoff first(Duration first) {
    return new ExponentialBackoff(maxAttempts, first, most, jitter);
  }

  /** The same with another limit of the waits. */
  public ExponentialBackoff most(Duration most) {
    return new ExponentialBackoff(maxAttempts, first, most, jitter);
  }

  /** The same with another part that chance takes away; 0 for none. */
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
