package io.leasehold.jobs;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Says how often a job is attempted, and how long it waits in between.
 *
 * <p>Implementations are asked by several threads at once.
 */
public interface RetryPolicy {

  /** How often a job is attempted at most, the first time included; at least 1. */
  int maxAttempts();

  /**
   * How long to wait after an attempt that failed.
   *
   * @param attempt the number of the failed attempt, 1 for the first
   * @param random where chance comes from, so that it can be given a seed
   */
  Duration delayAfter(int attempt, RandomGenerator random);

  /**
   * Whether another attempt may go better than the one that failed with this. The default is yes.
   *
   * @param failure what the handler threw, or that it took too long
   */
  default boolean isWorthAnother(Throwable failure) {
    return true;
  }

  /** One attempt: what fails has failed. The default. */
  static RetryPolicy none() {
    return exponential(1);
  }

  /**
   * Waits twice as long after each failure: 1 s, 2 s, 4 s and so on up to an hour, each shortened
   * by up to a half by chance, so that what failed together does not come back together.
   *
   * @throws IllegalArgumentException if there is not at least one attempt
   */
  static ExponentialBackoff exponential(int maxAttempts) {
    return new ExponentialBackoff(maxAttempts, Duration.ofSeconds(1), Duration.ofHours(1), 0.5);
  }
}
