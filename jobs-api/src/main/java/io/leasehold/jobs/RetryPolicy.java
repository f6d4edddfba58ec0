package io.leasehold.jobs;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides how often a job is attempted and how long it waits between attempts.
 *
 * <p>Several threads may call an implementation concurrently.
 */
public interface RetryPolicy {

  /** Returns the maximum number of attempts, including the first; at least 1. */
  int maxAttempts();

  /**
   * Returns how long to wait after a failed attempt.
   *
   * @param attempt the number of the failed attempt, 1 for the first
   * @param random the source of randomness; passed in so that it can be seeded
   */
  Duration delayAfter(int attempt, RandomGenerator random);

  /**
   * Returns whether another attempt may succeed after this failure. The default is true.
   *
   * @param failure the exception that the handler threw, or a timeout
   */
  default boolean isWorthAnother(Throwable failure) {
    return true;
  }

  /** Allows one attempt and no retry. The default. */
  static RetryPolicy none() {
    return exponential(1);
  }

  /**
   * Doubles the wait after each failure: 1 s, 2 s, 4 s and so on, up to an hour. Random jitter
   * shortens each wait by up to half, so that jobs that failed together do not retry together.
   *
   * @throws IllegalArgumentException if {@code maxAttempts} is less than one
   */
  static ExponentialBackoff exponential(int maxAttempts) {
    return new ExponentialBackoff(maxAttempts, Duration.ofSeconds(1), Duration.ofHours(1), 0.5);
  }
}
